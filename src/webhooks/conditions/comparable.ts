import type { Json } from '../../lib/canonical-json.ts'
import { isCalendarDay } from '../../lib/locale/calendar-day.ts'

const NUMBER_TEXT = /^-?\d+(\.\d+)?$/
const DATE_TEXT = /^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** Numbers and dates as something that `<` orders, dates in milliseconds; undefined for everything else. */
export function toComparable(value: Json): { kind: 'number' | 'date'; amount: number } | undefined {
  if (typeof value === 'number') return { kind: 'number', amount: value }
  if (typeof value !== 'string') return undefined
  if (NUMBER_TEXT.test(value)) return { kind: 'number', amount: Number(value) }
  const [, day, time, , , zone] = DATE_TEXT.exec(value) ?? []
  if (day === undefined || !isCalendarDay(day)) return undefined
  // A time without a zone is UTC, as every date-time in the database is.
  const amount = Date.parse(time && !zone ? `${value.replace(' ', 'T')}Z` : value)
  return Number.isNaN(amount) ? undefined : { kind: 'date', amount }
}

/** How far one number or date is above another; NaN when they have no order. */
export function differenceOf(left: Json, right: Json): number {
  const [first, second] = [toComparable(left), toComparable(right)]
  return first && first.kind === second?.kind ? first.amount - second.amount : Number.NaN
}
