import { z } from 'zod'
import type { ContentType, SchemaField } from '../entries/content-type-store.ts'

export const LOCATION_SERVICES = 'location_services'
/** Given by the path of the file (§2.9 rule 3). */
const FIELDS_OF_THE_PATH = ['service_entry_id', 'location_term_id']
/** A list of slugs in files, comma-separated entry ids in the database (§2.9). */
export const LOCAL_TESTIMONIALS = 'local_testimonials'

/** The fields of a type that its files hold. */
export function fieldsInFiles(type: ContentType): SchemaField[] {
  if (type.slug !== LOCATION_SERVICES) return type.fields
  return type.fields
    .filter(({ key }) => !FIELDS_OF_THE_PATH.includes(key))
    .map((field) => (field.key === LOCAL_TESTIMONIALS ? { ...field, type: 'list' } : field))
}

/** The front matter of an entry of this type (contract §3). A location service needs none of it: it inherits. */
export function frontMatterSchema(type: ContentType) {
  const inherits = type.slug === LOCATION_SERVICES
  return z.strictObject({
    title: inherits ? z.string().default('') : z.string().min(1),
    status: z.enum(['draft', 'published']).default('published'),
    ...shapeOf(fieldsInFiles(type).map((field) => (inherits ? { ...field, required: false } : field))),
    terms: z.record(z.string(), z.array(z.string())).default({}),
  })
}

/** The values of these fields in their order, without null, empty texts and empty lists. */
export function presentValues(
  fields: readonly SchemaField[],
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = presentValue(field, data[field.key])
      return value === undefined ? [] : [[field.key, value]]
    }),
  )
}

function presentValue(field: SchemaField, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return undefined
  if (!Array.isArray(value)) return value
  if (value.length === 0) return undefined
  const { fields } = field
  return fields ? value.map((item: Record<string, unknown>) => presentValues(fields, item)) : value
}

function shapeOf(fields: readonly SchemaField[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    fields.map((field) => {
      const schema = schemaOf(field)
      return [field.key, field.required ? schema : schema.nullish()]
    }),
  )
}

function schemaOf(field: SchemaField): z.ZodType {
  const least = field.required ? 1 : 0
  switch (field.type) {
    case 'text':
    case 'textarea':
      return z.string().min(least)
    case 'number':
      return z.number()
    case 'boolean':
      return z.boolean()
    case 'date':
      return z.iso.date()
    case 'url':
      return z.url({ protocol: /^https?$/ })
    case 'list':
      return z.array(field.fields ? z.strictObject(shapeOf(field.fields)) : z.string().min(1)).min(least)
  }
}
