import { FIELD_TYPES } from '../../forms/field-types/field-types.ts'
import type { Answers, FormField } from '../../forms/form.ts'

/** Returns the first valid answer to an email field; undefined if there is none. */
export function firstEmail(answers: Answers, fields: readonly FormField[]): string | undefined {
  const given = fields
    .filter(({ type }) => FIELD_TYPES[type].contact === 'email')
    .map(({ name }) => answers[name])
  return given.find((answer) => typeof answer === 'string' && answer !== '') as string | undefined
}
