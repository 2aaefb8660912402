import { z } from 'zod'
import { filledText } from '../../lib/filled-text.ts'
import { rule } from '../../messages/files/rules/schema-rule.ts'
import { checkOfField } from '../sections/fields-of-type.ts'
import type { SchemaField } from './schema-field.ts'

/** Returns the values of these fields in order, without null, empty texts, and empty lists. */
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
  const { fields } = field
  if (isEmpty(value)) return undefined
  return fields && Array.isArray(value) ? value.map((item) => presentValues(fields, item)) : value
}

/** Returns whether a value is empty: null, an empty text, or an empty list. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Returns the schemas of these fields' values, by key. */
export function fieldShape(fields: readonly SchemaField[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    fields.map((field) => {
      const schema = schemaOf(field)
      return [field.key, field.required ? schema : schema.nullish()]
    }),
  )
}

function schemaOf(field: SchemaField): z.ZodType {
  const own = field.section === undefined ? undefined : checkOfField(field)
  if (own) return own
  switch (field.type) {
    case 'text':
    case 'textarea':
    case 'picture':
      return field.required ? filledText : z.string()
    case 'number':
      return z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)
    case 'boolean':
      return z.boolean()
    case 'date':
      return z.iso.date(rule('date'))
    case 'url':
      return z.url({ protocol: /^https?$/, ...rule('https_address') })
    case 'pictures':
    case 'list':
      return z
        .array(field.fields ? z.strictObject(fieldShape(field.fields)) : filledText)
        .min(field.required ? 1 : 0)
  }
}
