import { FIELD_TYPES } from './field-types/field-types.ts'
import type { Answers, FormField } from './form.ts'

/** Returns the label of each ticked consent box by field name, including links; undefined if none was ticked. */
export function acceptedWording(
  fields: readonly Pick<FormField, 'name' | 'type' | 'label' | 'options'>[],
  answers: Answers,
): Record<string, string> | undefined {
  const ticked = fields.filter(
    ({ name, type, options }) =>
      FIELD_TYPES[type].storedAs === 'boolean' && options.length === 0 && answers[name] === true,
  )
  if (ticked.length === 0) return undefined
  return Object.fromEntries(ticked.map(({ name, label }) => [name, label]))
}
