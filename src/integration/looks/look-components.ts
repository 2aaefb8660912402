import { extname, join } from 'node:path'
import { Failure } from '../../lib/messages.ts'
import { PROGRAM_DIR } from '../../lib/program/folders.ts'
import { lookFailures } from '../../messages/server/looks.ts'
import { LOOKS } from '../../site/theme/looks.ts'
import { COMPONENTS, type ComponentName } from '../components.ts'

/** Prefix of the module that selects among the components of one role. */
const CHOICE = '\0signpost:choice'
const CHOOSE = join(PROGRAM_DIR, 'src/components/looks', `choose-by-look${extname(import.meta.filename)}`)

interface Variant {
  look: string
  file: string
}

/** The looks' components, by the file each replaces. */
export type LookComponents = ReadonlyMap<string, readonly Variant[]>

/** Lists what this site's looks replace. Throws if a name is unknown. */
export function lookComponents(): LookComponents {
  const found = new Map<string, Variant[]>()
  for (const { name: look, components } of LOOKS)
    for (const [name, file] of components) {
      if (!isComponent(name)) throw new Failure(lookFailures, 'componentUnknown', look, name)
      const original = join(PROGRAM_DIR, 'src', COMPONENTS[name])
      found.set(original, [...(found.get(original) ?? []), { look, file }])
    }
  return found
}

function isComponent(name: string): name is ComponentName {
  return Object.hasOwn(COMPONENTS, name)
}

/**
 * Returns the module that selects by the page's look; undefined if the import means an original or a look's own
 * file.
 */
export function choiceFor(looks: LookComponents, original: string, importer: string): string | undefined {
  if (!looks.has(original) || isChoice(importer) || isVariant(looks, original, importer)) return undefined
  return `${CHOICE}${[...looks.keys()].indexOf(original)}`
}

/** Returns whether a file is the component with which a look replaces the original. */
export function isVariant(looks: LookComponents, original: string, file: string): boolean {
  return looks.get(original)?.some((variant) => variant.file === file) ?? false
}

export function isChoice(id: string): boolean {
  return id.startsWith(CHOICE)
}

/** Returns the source of such a module. */
export function choiceSource(looks: LookComponents, id: string): string {
  const [original = '', variants = []] = [...looks][Number(id.slice(CHOICE.length))] ?? []
  const imports = variants.map(({ file }, index) => `import look${index} from ${JSON.stringify(file)}`)
  const byName = variants.map(({ look }, index) => `${JSON.stringify(look)}: look${index}`)
  return [
    `import { chooseByLook } from ${JSON.stringify(CHOOSE)}`,
    `import original from ${JSON.stringify(original)}`,
    ...imports,
    `export default chooseByLook(original, { ${byName.join(', ')} })`,
  ].join('\n')
}
