import { canonicalJson } from '../../lib/canonical-json.ts'
import { DEFAULT_COUNTRY } from '../../lib/locale/locale.ts'
import type { Fault, Problem } from '../../messages/files/rules/rule.ts'
import { type AnswerProblem, describeAnswer } from '../../messages/visitor/answers.ts'
import { FIELD_TYPES } from '../field-types/field-types.ts'
import { type FieldDefinition, toFormField } from './field-definition.ts'

// A beginning that visitors complete, such as https:// or a country code.
const TO_COMPLETE: readonly AnswerProblem['code'][] = ['too_short', 'not_a_phone_number', 'not_a_web_address']

/** Returns what is wrong with a field's default answer, which visitors couldn't send; undefined if they could. */
export function defaultAnswerFault(field: FieldDefinition): Fault | undefined {
  const { parse, widget } = FIELD_TYPES[field.type]
  // The value of a hidden field is a part of its definition.
  if (widget === 'hidden' || !field.default_value?.trim()) return undefined
  const { default_value: text, options } = field
  const isGroup = widget === 'tick' && options.length > 0
  const checked = parse(isGroup ? text.split(',') : [text], toFormField(field), [], {
    country: DEFAULT_COUNTRY,
  })
  if ('answer' in checked || TO_COMPLETE.includes(checked.problem.code)) return undefined
  return { code: 'default_refused', params: { text, problem: describeAnswer(checked.problem) } }
}

/** Finds default answers that visitors couldn't send, in fields that differ from the stored ones. */
export function findDefaultProblems(
  fields: readonly FieldDefinition[],
  stored: readonly FieldDefinition[],
): Problem[] {
  const known = new Set(stored.map(canonicalJson))
  return fields.flatMap((field, index): Problem[] => {
    const fault = known.has(canonicalJson(field)) ? undefined : defaultAnswerFault(field)
    return fault ? [{ path: ['fields', index, 'default_value'], ...fault }] : []
  })
}
