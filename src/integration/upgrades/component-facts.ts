import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../../lib/is-missing.ts'
import { shortHash } from '../../site/content/fingerprint.ts'

/** Facts about a component that show whether an override still fits. */
export interface ComponentFacts {
  /** Changes with its source. */
  hash: string
  /** Types of its props by name; an optional one ends in `?`. */
  props: Readonly<Record<string, string>>
  /** Names of its slots; missing in records of earlier versions. */
  slots?: readonly string[] | undefined
}

/** Reads the components of a program folder, by name. Missing files are left out. */
export function readComponents(
  programDir: string,
  components: Readonly<Record<string, string>>,
): Map<string, ComponentFacts> {
  const found = Object.entries(components).flatMap(([name, path]): [string, ComponentFacts][] => {
    const file = join(programDir, 'src', path)
    if (isMissing(file)) return []
    const source = readFileSync(file, 'utf8')
    return [[name, { hash: shortHash(source), props: propsOf(source), slots: slotsOf(source) }]]
  })
  return new Map(found)
}

/** Returns the props in a component's `interface Props`; empty if they are defined elsewhere. */
export function propsOf(source: string): Record<string, string> {
  return fieldsOf(source, 'Props')
}

/** Returns the names of a component's slots, in the order of its template. */
export function slotsOf(source: string): string[] {
  const found = source.matchAll(/<slot(?:\s+name="([^"]+)")?|Astro\.slots\.render\('(\w+)'/g)
  return [...new Set([...found].map(([, element, rendered]) => element ?? rendered ?? 'default'))]
}

/** Returns the types of an interface's fields in this source by name; an optional one ends in `?`. */
export function fieldsOf(source: string, name: string): Record<string, string> {
  const [start] = new RegExp(`interface ${name}\\b[^{]*\\{`).exec(source) ?? []
  if (start === undefined) return {}
  const rest = source.slice(source.indexOf(start) + start.length).replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '')
  const members = membersOf(rest).map((member) => /^(?:readonly )?(\w+\??):\s*(.+)$/s.exec(member))
  return Object.fromEntries(
    members.flatMap((found) => (found ? [[found[1], found[2]?.replace(/\s+/g, ' ')]] : [])),
  )
}

// Up to the bracket that closes the interface, skipping nested types.
function membersOf(text: string): string[] {
  const members: string[] = []
  let depth = 0
  let from = 0
  for (const [at, letter] of [...text].entries()) {
    if ('{(['.includes(letter)) depth += 1
    if ('})]'.includes(letter)) depth -= 1
    if (depth > 0 || !(letter === '\n' || letter === ';' || depth < 0)) continue
    members.push(text.slice(from, at).trim())
    from = at + 1
    if (depth < 0) break
  }
  return members.filter((member) => member !== '')
}
