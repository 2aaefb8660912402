import type { ContentType, SchemaField } from '../../entries/types/content-type-store.ts'
import { fieldsInFiles } from '../../entries/types/entry-schema.ts'

const TYPES: Record<SchemaField['type'], string> = {
  text: 'string',
  textarea: 'string',
  number: 'number',
  boolean: 'boolean',
  date: 'string',
  url: 'string',
  list: 'string[]',
  picture: 'string',
  pictures: 'string[]',
}

/** Returns a declaration file with the fields of these content types, for `getEntries`. */
export function describeEntryTypes(types: readonly Pick<ContentType, 'slug' | 'fields'>[]): string {
  const entries = types.map((type) => `    ${JSON.stringify(type.slug)}: ${shapeOf(fieldsInFiles(type))}\n`)
  return `declare module 'signpost/content' {\n  interface EntryTypes {\n${entries.join('')}  }\n}\n\nexport {}\n`
}

// A field left empty in a form of the admin is null; a key left out of a file is missing.
function shapeOf(fields: readonly SchemaField[]): string {
  const parts = fields.map((field) => {
    const type = field.fields ? `${shapeOf(field.fields)}[]` : TYPES[field.type]
    return field.required ? `${field.key}: ${type}` : `${field.key}?: ${type} | null`
  })
  return `{ ${parts.join('; ')} }`
}
