import { z } from 'zod'
import { filledText } from '../../lib/filled-text.ts'
import { rule } from '../../messages/files/rules/schema-rule.ts'

const KEY_PATTERN = /^[a-z][a-z0-9_]{0,62}$/
/** The types of fields. */
export const FIELD_TYPES = [
  'text',
  'textarea',
  'number',
  'boolean',
  'date',
  'url',
  'list',
  'picture',
  'pictures',
] as const

/**
 * One element of `schema_json` (§2.9). A list without `fields` is a list of texts; with `fields`, a list of objects.
 * A picture is stored as its name.
 */
export interface SchemaField {
  key: string
  label: string
  type: (typeof FIELD_TYPES)[number]
  required?: boolean | undefined
  fields?: SchemaField[] | undefined
  /** The section that a field belongs to, for fields of the site's own sections. Nothing below is stored. */
  section?: string | undefined
  /** Texts to choose from. */
  options?: readonly string[] | undefined
  hint?: string | undefined
}

export const schemaField: z.ZodType<SchemaField, SchemaField> = z.strictObject({
  key: z.string().regex(KEY_PATTERN, rule('field_key')),
  label: filledText,
  type: z.enum(FIELD_TYPES),
  required: z.boolean().optional(),
  get fields() {
    return z.array(schemaField).optional()
  },
})
