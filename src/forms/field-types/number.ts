import { cleanLine } from '../answer-text.ts'
import type { FormField } from '../form.ts'
import { type Checked, type FieldTypeRule, parseOne } from './field-type.ts'

// Without it `Number` would take "0x1F", "0b1" and "Infinity". Each digit has one way to match: with two, 60,000 digits
// and a letter take seconds.
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/** A number between `min` and `max`, in which no digit before the point is lost. */
export const number: FieldTypeRule = {
  options: 'none',
  validationKeys: ['min', 'max'],
  requiredProblem: 'Enter a number',
  parse: parseOne(parseNumber),
}

function parseNumber(sent: string, { validation }: FormField): Checked {
  const text = cleanLine(sent)
  if (text === '') return { answer: null }
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(value)) return { problem: 'Enter a number such as 12 or 3.5' }
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return { problem: 'Enter a number of at most 15 digits' }
  const { min, max } = validation
  if (typeof min === 'number' && value < min) return { problem: `Enter a number of at least ${min}` }
  if (typeof max === 'number' && value > max) return { problem: `Enter a number of at most ${max}` }
  // JSON has no minus zero.
  return { answer: value === 0 ? 0 : value }
}
