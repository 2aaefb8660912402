import { z } from 'zod'
import { addProblem, rule } from '../messages/files/rules/schema-rule.ts'
import { type FieldDefinition, fieldDefinitionSchema } from './fields/field-definition.ts'
import { FORM_STATUSES } from './form.ts'
import { settingsDefinition } from './form-settings.ts'
import { optionalText } from './optional-text.ts'

const MAX_FIELDS = 200

const fields = z
  .array(fieldDefinitionSchema)
  .refine(({ length }) => length <= MAX_FIELDS, rule('too_many_fields', { max: MAX_FIELDS }))
  // Checked even when some fields are invalid, so that one run reports every mistake.
  .superRefine(refuseRepeatedNames, { when: ({ value }) => Array.isArray(value) })

/** A form file of contract §3 without its webhooks. Missing keys get the defaults of §2.1 and §2.2. */
export const formDefinitionSchema = z
  .strictObject({
    name: z.string().trim().min(1, rule('name')).max(200),
    description: optionalText(2_000),
    status: z.enum(FORM_STATUSES).default('active'),
    settings: settingsDefinition.nullish().transform((settings) => settings ?? {}),
    fields,
  })
  .superRefine(({ settings: { honeypot }, fields }, context) => {
    if (!fields.some(({ name }) => name === honeypot)) return
    const path = ['settings', 'honeypot']
    addProblem(context, { path, code: 'decoy_is_field', params: { name: `${honeypot}` } })
  })

export type FormDefinition = z.output<typeof formDefinitionSchema>

function refuseRepeatedNames(fields: unknown[], context: z.RefinementCtx) {
  const names = fields.map((field) => (field as Partial<FieldDefinition> | null)?.name)
  for (const [index, name] of names.entries()) {
    if (name === undefined || names.indexOf(name) === index) continue
    addProblem(context, { path: [index, 'name'], code: 'field_repeated', params: { name } })
  }
}
