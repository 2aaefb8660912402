import { z } from 'zod'
import type { ContentType, SchemaField } from '../entries/content-type-store.ts'
import { LOCAL_TESTIMONIALS, LOCATION_SERVICES } from '../entries/field-meaning.ts'
import { fieldShape } from '../entries/field-values.ts'

/** Given by the path of the file (§2.9 rule 3). */
const FIELDS_OF_THE_PATH = ['service_entry_id', 'location_term_id']

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
    ...fieldShape(fieldsInFiles(type).map((field) => (inherits ? { ...field, required: false } : field))),
    terms: z.record(z.string(), z.array(z.string())).default({}),
  })
}
