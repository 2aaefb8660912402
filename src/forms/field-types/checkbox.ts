import { cleanLine } from '../answer-text.ts'
import type { Checked, FieldTypeDefinition, TypedField } from './field-type.ts'
import { createOfferFinder } from './select.ts'

const TICKED = ['on', 'true', '1', 'yes']
const NOT_TICKED = ['', 'off', 'false', '0', 'no']

/** With options the values of those ticked, without repetition; alone a boolean. */
export const checkbox: FieldTypeDefinition = {
  label: 'Tick boxes',
  use: 'One box, or any of several',
  defaultAnswer: {
    label: 'Default answer',
    help: 'Values with commas between them; true for a single box.',
  },
  optionsHelp: 'One on each line, as Label/value. Without any it is a single box.',
  options: 'optional',
  validationKeys: [],
  requiredProblem: 'Tick this to go on',
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
  if (offered.length < chosen.length) return { problem: 'Choose from the options' }
  if (offered.length === 0 && field.required) return { problem: 'Choose at least one of the options' }
  return { answer: [...new Set(offered)] }
}

function parseSingle(sent: readonly string[]): Checked {
  if (sent.length > 1) return { problem: 'Give one answer only' }
  const text = cleanLine(sent[0] ?? '').toLowerCase()
  if (TICKED.includes(text)) return { answer: true }
  return NOT_TICKED.includes(text) ? { answer: false } : { problem: 'Tick the box or leave it empty' }
}
