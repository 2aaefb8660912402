import { cleanLine, isTicked } from '../answer-text.ts'
import type { Checked, FieldTypeDefinition, TypedField } from './field-type.ts'
import { createOfferFinder } from './select.ts'

const NOT_TICKED = ['', 'off', 'false', '0', 'no']

/** With options, the values of the ticked boxes without duplicates; without options, a boolean. */
export const checkbox: FieldTypeDefinition = {
  label: 'Checkboxes',
  use: 'A single box, or several choices',
  defaultAnswer: {
    label: 'Default answer',
    help: 'Separate values with commas. To check a single box, enter true.',
  },
  optionsHelp: 'One per line, as Label/value. Leave empty for a single box.',
  options: 'optional',
  validationKeys: [],
  requiredProblem: { code: 'tick_missing' },
  parse: (sent, field) => (field.options.length > 0 ? parseGroup(sent, field) : parseSingle(sent)),
  widget: 'tick',
  widgetWithOptions: 'checkboxes',
  sample: (option) => (option === undefined ? true : [option]),
  storedAs: 'boolean',
}

function parseGroup(sent: readonly string[], field: TypedField): Checked {
  const findOffered = createOfferFinder(field)
  const chosen = sent.filter((text) => cleanLine(text) !== '').map((text) => findOffered(text))
  const offered = chosen.filter((value) => value !== undefined)
  if (offered.length < chosen.length) return { problem: { code: 'not_offered' } }
  if (offered.length === 0 && field.required) return { problem: { code: 'choices_missing' } }
  return { answer: [...new Set(offered)] }
}

function parseSingle(sent: readonly string[]): Checked {
  if (sent.length > 1) return { problem: { code: 'several_answers' } }
  const text = sent[0] ?? ''
  if (isTicked(text)) return { answer: true }
  return NOT_TICKED.includes(cleanLine(text).toLowerCase())
    ? { answer: false }
    : { problem: { code: 'neither_ticked_nor_empty' } }
}
