import { z } from 'zod'
import { sectionFields } from '../../entries/sections/fields-of-type.ts'
import { OWN_SECTIONS } from '../../entries/sections/own-sections.ts'
import type { SectionField } from '../../entries/sections/section-fields.ts'
import type { SchemaField } from '../../entries/types/schema-field.ts'
import { Failure } from '../../lib/messages.ts'
import { addProblem, problemOf } from '../../messages/files/rules/schema-rule.ts'
import { ownSectionFailures } from '../../messages/server/own-sections.ts'
import { field, type SettingField } from './setting-field.ts'

const LINES = 3

/** Returns the keys of `home` in `site.yaml` for the site's own sections. Throws if a key is one of `taken`. */
// Program code doesn't know their names, so the settings type doesn't include them.
export function homeSectionFields(taken: readonly string[]): Record<never, z.ZodOptional> {
  const fields = sectionFields('home')
  const wrong = fields.find(({ key }) => taken.includes(key))
  if (wrong) throw new Failure(ownSectionFailures, 'fieldTaken', wrong.section, wrong.key)
  return Object.fromEntries(fields.map((one) => [one.key, toSetting(one)]))
}

function toSetting({ section, check, label, hint, ...rest }: SectionField): z.ZodOptional {
  const of = OWN_SECTIONS.find(({ name }) => name === section)?.label ?? section
  const texts = { label: `${of}: ${label}`, ...(hint && { hint }) }
  const schema = rest.fields ? rowsOf(rest.fields, check) : check
  return field(schema.optional(), { section: 'home_texts', texts, ...inputOf(rest) })
}

function inputOf({ type }: Pick<SchemaField, 'type'>): Partial<SettingField> {
  if (type === 'picture' || type === 'pictures') return { choices: 'pictures' }
  return type === 'textarea' ? { lines: LINES } : {}
}

// The screen has an input for each part; the section's own schema validates it.
function rowsOf(parts: readonly SchemaField[], check: z.ZodType): z.ZodType {
  const shape = parts.map(({ key, label, hint, required, ...rest }) => {
    const schema = required ? z.string() : z.string().optional()
    const input = rest.type === 'textarea' ? { lines: LINES } : {}
    return [key, field(schema, { texts: { label, ...(hint && { hint }) }, ...input })]
  })
  return z.array(z.strictObject(Object.fromEntries(shape))).superRefine((rows, context) => {
    for (const issue of check.safeParse(rows).error?.issues ?? []) addProblem(context, problemOf(issue))
  })
}
