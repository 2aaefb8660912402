import { isCalendarDay } from '../../lib/locale/calendar-day.ts'
import { cleanLine } from '../answer-text.ts'
import {
  type Checked,
  DEFAULT_ANSWER,
  type FieldTypeDefinition,
  parseOne,
  type TypedField,
} from './field-type.ts'

/** A day as `YYYY-MM-DD`, between `min` and `max`. */
export const date: FieldTypeDefinition = {
  label: 'Date',
  use: 'A day of the calendar',
  defaultAnswer: DEFAULT_ANSWER,
  options: 'none',
  validationKeys: ['min', 'max'],
  bounds: {
    expected: 'a day as YYYY-MM-DD',
    fits: (bound) => typeof bound === 'string' && isCalendarDay(bound),
    read: (text) => text,
    labels: { min: 'First day', max: 'Last day' },
    input: { type: 'date' },
  },
  requiredProblem: 'Enter a date',
  parse: parseOne(parseDay),
  widget: 'input',
  // Browsers know years of six digits, which are typing mistakes.
  control: { type: 'date', max: '9999-12-31' },
  autofill: 'by name',
  sample: () => '2026-01-31',
  isShort: true,
}

function parseDay(sent: string, { validation }: TypedField): Checked {
  const day = cleanLine(sent)
  if (day === '') return { answer: null }
  if (!isCalendarDay(day)) return { problem: 'Enter a date such as 2026-11-20' }
  const { min, max } = validation
  if (typeof min === 'string' && day < min) return { problem: `Enter a date from ${min} on` }
  if (typeof max === 'string' && day > max) return { problem: `Enter a date up to ${max}` }
  return { answer: day }
}
