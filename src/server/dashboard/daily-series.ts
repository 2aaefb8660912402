import type { CountSeries } from '../../db/tables/count-tables.ts'
import type { DailyCount } from './daily-count-store.ts'

/** A line of a plot: a value for each day. */
export interface Series {
  /** Subject of the count: the ID of a form, or an outcome. */
  subject: string
  label: string
  values: number[]
  total: number
}

/** Lists days up to this one, oldest first: `2026-11-20`. */
export function daysUntil(day: string, count: number): string[] {
  const last = Temporal.PlainDate.from(day)
  return Array.from({ length: count }, (_, index) => last.subtract({ days: count - 1 - index }).toString())
}

/** A series for each subject with a count in these days, largest first. */
export function seriesOf(
  counts: readonly DailyCount[],
  wanted: CountSeries,
  { days, nameOf }: { days: readonly string[]; nameOf: (subject: string) => string },
): Series[] {
  const places = new Map(days.map((day, index) => [day, index]))
  const bySubject = new Map<string, number[]>()
  for (const { day, series, subject, count } of counts) {
    const place = places.get(day)
    if (series !== wanted || place === undefined) continue
    const values = bySubject.get(subject) ?? days.map(() => 0)
    values[place] = (values[place] ?? 0) + count
    bySubject.set(subject, values)
  }
  return [...bySubject]
    .map(([subject, values]) => ({
      subject,
      label: nameOf(subject),
      values,
      total: values.reduce((sum, value) => sum + value, 0),
    }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total || a.label.localeCompare(b.label, 'en'))
}
