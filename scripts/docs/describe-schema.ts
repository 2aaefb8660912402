import { branchesOf, type JsonSchema } from './json-schema.ts'
import { code } from './markdown.ts'
import { schemaTexts as texts } from './texts/pages.ts'

/** Longer lists of values go below the table. */
const MOST_VALUES = 15

/** Describes a key's type and bounds, such as `text, at most 200 characters`, leaving out null. */
export function describeType(schema: JsonSchema, root: JsonSchema): string {
  const kinds = branchesOf(schema, root).flatMap((branch) => kindsOf(branch, root))
  const named = [...new Set(kinds.filter((kind) => kind !== ''))]
  return new Intl.ListFormat('en-US', { type: 'disjunction' }).format(named) || texts.anything
}

function kindsOf(branch: JsonSchema, root: JsonSchema): string[] {
  if (branch.propertyNames?.not || branch.properties?.all || branch.properties?.op) return [texts.condition]
  if (branch.properties?.any || branch.properties?.not) return []
  const values = withoutHidden(branch.enum ?? [])
  if (values.length > MOST_VALUES) return [texts.oneOf(values.length)]
  if (values.length > 0) return [values.map((value) => code(String(value))).join(', ')]
  const types = [branch.type ?? []].flat().filter((type) => type !== 'null')
  return types.flatMap((type) => describeKind(type, branch, root))
}

// `-faq` is the hidden form of `faq`, as the text of `sections` says.
function withoutHidden(values: readonly unknown[]): unknown[] {
  return values.filter((value) => !(String(value).startsWith('-') && values.includes(String(value).slice(1))))
}

function describeKind(type: string, schema: JsonSchema, root: JsonSchema): string | string[] {
  switch (type) {
    case 'string':
      return texts.formats[schema.format ?? ''] ?? texts.text(schema.maxLength)
    case 'integer':
    case 'number':
      return texts.number({ isWhole: type === 'integer', min: schema.minimum, max: schema.maximum })
    case 'boolean':
      return texts.boolean
    case 'array':
      return texts.list(listedItems(schema, root))
    default:
      return texts.keys
  }
}

function listedItems({ items }: JsonSchema, root: JsonSchema): string {
  return items ? describeType(items, root) : texts.anything
}

/** Returns the values of a key that has too many for its cell; undefined for other keys. */
export function describeValues({ enum: all = [] }: JsonSchema, key: string): string | undefined {
  const values = withoutHidden(all)
  if (values.length <= MOST_VALUES) return undefined
  return texts.values(code(key), values.map((value) => code(String(value))).join(', '))
}

/** Returns the default of a key; empty if there is none. */
export function describeDefault({ default: value }: JsonSchema, isRequired: boolean): string {
  if (isRequired) return texts.required
  const isEmpty = value === undefined || value === null || value === '' || typeof value === 'object'
  return isEmpty ? '' : code(String(value))
}
