import { isCalendarDay } from '../../lib/locale/calendar-day.ts'
import { cleanLine } from '../answer-text.ts'
import {
  type Checked,
  DEFAULT_ANSWER,
  type FieldTypeDefinition,
  parseOne,
  type TypedField,
} from './field-type.ts'

// Created once, because `toLocaleDateString()` creates one per call.
const DAY = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A day as `YYYY-MM-DD`, between `min` and `max`. */
export const date: FieldTypeDefinition = {
  label: 'Date',
  use: 'A calendar date',
  defaultAnswer: DEFAULT_ANSWER,
  options: 'none',
  validationKeys: ['min', 'max'],
  bounds: {
    expected: 'a date as YYYY-MM-DD',
    fits: (bound) => typeof bound === 'string' && isCalendarDay(bound),
    read: (text) => text,
    labels: { min: 'Earliest date', max: 'Latest date' },
    input: { type: 'date' },
  },
  requiredProblem: { code: 'date_missing' },
  parse: parseOne(parseDay),
  widget: 'input',
  // Browsers accept six-digit years, which are always typos.
  control: { type: 'date', max: '9999-12-31' },
  autofill: 'by name',
  sample: () => '2026-01-31',
  // The administrator who reads it has to know the day of the week. An import may bring other texts.
  format: (stored) => (isCalendarDay(stored) ? DAY.format(new Date(stored)) : stored),
  isShort: true,
}

function parseDay(sent: string, { validation }: TypedField): Checked {
  const day = cleanLine(sent)
  if (day === '') return { answer: null }
  if (!isCalendarDay(day)) return { problem: { code: 'not_a_date' } }
  const { min, max } = validation
  if (typeof min === 'string' && day < min) return { problem: { code: 'too_early', params: { min } } }
  if (typeof max === 'string' && day > max) return { problem: { code: 'too_late', params: { max } } }
  return { answer: day }
}
