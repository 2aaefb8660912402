import { numberOr } from '../../lib/number-or.ts'
import { cleanLine } from '../answer-text.ts'
import {
  type Checked,
  DEFAULT_ANSWER,
  type FieldTypeDefinition,
  PLACEHOLDER,
  parseOne,
  type TypedField,
} from './field-type.ts'

// `Number` alone would accept "0x1F", "0b1", and "Infinity". Each digit can match in only one way: with two
// ways, 60,000 digits and a letter take seconds.
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

const MAX_DIGITS = 15

/** A number between `min` and `max` whose integer digits are all kept. */
export const number: FieldTypeDefinition = {
  label: 'Number',
  use: 'Up to 15 digits',
  placeholderLabel: PLACEHOLDER,
  defaultAnswer: DEFAULT_ANSWER,
  options: 'none',
  validationKeys: ['min', 'max'],
  bounds: {
    expected: 'a number',
    fits: (bound) => typeof bound === 'number',
    read: numberOr,
    labels: { min: 'Minimum', max: 'Maximum' },
    input: { type: 'text', inputmode: 'decimal' },
  },
  requiredProblem: { code: 'number_missing' },
  parse: parseOne(parseNumber),
  widget: 'input',
  control: { type: 'number', inputmode: 'decimal', step: 'any' },
  sample: () => 42,
  storedAs: 'number',
  isShort: true,
}

function parseNumber(sent: string, { validation }: TypedField): Checked {
  const text = cleanLine(sent)
  if (text === '') return { answer: null }
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(value)) return { problem: { code: 'not_a_number' } }
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return { problem: { code: 'too_many_digits', params: { max: MAX_DIGITS } } }
  }
  const { min, max } = validation
  if (typeof min === 'number' && value < min) return { problem: { code: 'too_small', params: { min } } }
  if (typeof max === 'number' && value > max) return { problem: { code: 'too_large', params: { max } } }
  // JSON has no negative zero.
  return { answer: value === 0 ? 0 : value }
}
