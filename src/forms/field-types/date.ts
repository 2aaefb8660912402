import { isCalendarDay } from '../../lib/locale/calendar-day.ts'
import { cleanLine } from '../answer-text.ts'
import type { FormField } from '../form.ts'
import { type Checked, type FieldTypeRule, parseOne } from './field-type.ts'

/** A day as `YYYY-MM-DD`, between `min` and `max`. */
export const date: FieldTypeRule = {
  options: 'none',
  validationKeys: ['min', 'max'],
  requiredProblem: 'Enter a date',
  parse: parseOne(parseDay),
}

function parseDay(sent: string, { validation }: FormField): Checked {
  const day = cleanLine(sent)
  if (day === '') return { answer: null }
  if (!isCalendarDay(day)) return { problem: 'Enter a date such as 2026-11-20' }
  const { min, max } = validation
  if (typeof min === 'string' && day < min) return { problem: `Enter a date from ${min} on` }
  if (typeof max === 'string' && day > max) return { problem: `Enter a date up to ${max}` }
  return { answer: day }
}
