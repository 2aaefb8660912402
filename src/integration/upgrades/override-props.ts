import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isMissing } from '../../lib/is-missing.ts'
import { type ComponentFacts, fieldsOf } from './component-facts.ts'
import { endOfType, splitType } from './split-type.ts'

type Props = ComponentFacts['props']

/** A file whose types are read, and the components that it may import from the program. */
interface Scope {
  file: string
  source: string
  originals: ReadonlyMap<string, ComponentFacts>
}

// Types that refer to each other in a circle end here.
const DEEPEST = 10
const IMPORT = /\bimport\s+([^'"]+?)\s+from\s+['"]([^'"]+)['"]/g
const ORIGINAL = /^signpost\/components\/(\w+)\.astro$/

/**
 * Returns the props that a site's component declares, by name; an optional one ends in `?`. Follows aliases,
 * intersections, and imports of the site's own files. Types of other packages, unions, and conditions count as empty.
 */
export function overrideProps(file: string, originals: Scope['originals']): Props {
  return namedProps('Props', { file, source: readFileSync(file, 'utf8'), originals }, DEEPEST)
}

function namedProps(name: string, scope: Scope, depth: number): Props {
  const { source } = scope
  const [alias] = new RegExp(`\\btype ${name}\\b[^=;\\n]*=`).exec(source) ?? []
  if (alias !== undefined) {
    const text = withoutComments(source.slice(source.indexOf(alias) + alias.length))
    return typeProps(text.slice(0, endOfType(text)), scope, depth)
  }
  const [heading, bases = ''] =
    new RegExp(`\\binterface ${name}\\b(?:\\s+extends\\s+([^{]+))?\\s*\\{`).exec(source) ?? []
  if (heading === undefined) return importedProps(name, scope, depth)
  return join([...splitType(bases, ',').map((base) => typeProps(base, scope, depth)), fieldsOf(source, name)])
}

function typeProps(type: string, scope: Scope, depth: number): Props {
  if (depth === 0 || splitType(type, '|').length > 1) return {}
  const parts = splitType(type, '&')
  if (parts.length > 1) return join(parts.map((part) => typeProps(part, scope, depth - 1)))
  const [part = ''] = parts
  if (part.startsWith('{')) return fieldsOf(`interface Part ${part}`, 'Part')
  const [, generic, parameters = ''] = /^(\w+)<(.*)>$/s.exec(part) ?? []
  if (generic !== undefined) return genericProps(generic, splitType(parameters, ','), scope, depth - 1)
  return /^\w+$/.test(part) ? namedProps(part, scope, depth - 1) : {}
}

function genericProps(generic: string, [type = '', keys = '']: string[], scope: Scope, depth: number): Props {
  const [, component] = /^typeof (\w+)$/.exec(type) ?? []
  if (generic === 'ComponentProps' && component) return importedProps(component, scope, depth)
  const props = Object.entries(typeProps(type, scope, depth))
  const named = new Set([...keys.matchAll(/['"](\w+)['"]/g)].map(([, key]) => key))
  const isNamed = ([name]: [string, string]) => named.has(name.replace('?', ''))
  if (generic === 'Omit') return Object.fromEntries(props.filter((prop) => !isNamed(prop)))
  if (generic === 'Pick') return Object.fromEntries(props.filter(isNamed))
  const isRequired = generic === 'Required'
  if (generic !== 'Partial' && !isRequired && generic !== 'Readonly') return {}
  return Object.fromEntries(
    props.map(([name, text]) => [
      generic === 'Readonly' ? name : name.replace('?', '') + (isRequired ? '' : '?'),
      text,
    ]),
  )
}

// Of a component by the name of its import, or of a type.
function importedProps(name: string, { file, source, originals }: Scope, depth: number): Props {
  const { from = '', exported = name } = importOf(source, name) ?? {}
  const [, component] = ORIGINAL.exec(from) ?? []
  if (component !== undefined) return originals.get(component)?.props ?? {}
  const imported = resolve(dirname(file), from)
  if (!from.startsWith('.') || depth === 0 || isMissing(imported)) return {}
  const scope = { file: imported, source: readFileSync(imported, 'utf8'), originals }
  return namedProps(from.endsWith('.astro') ? 'Props' : exported, scope, depth - 1)
}

function importOf(source: string, name: string): { from: string; exported: string } | undefined {
  for (const [, names = '', from = ''] of source.matchAll(IMPORT)) {
    const [found, , exported = name] =
      new RegExp(`((\\w+)\\s+as\\s+)?\\b${name}\\b(?!\\s+as\\b)`).exec(names) ?? []
    if (found !== undefined) return { from, exported }
  }
  return undefined
}

// A prop that one part requires is required.
function join(all: readonly Props[]): Props {
  const found = all.flatMap((props) => Object.entries(props))
  const required = new Set(found.flatMap(([name]) => (name.endsWith('?') ? [] : [name])))
  return Object.fromEntries(
    found.filter(([name]) => !required.has(name.replace(/\?$/, '')) || required.has(name)),
  )
}

function withoutComments(text: string): string {
  return text.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '')
}
