import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysUntil, seriesOf } from '#src/server/dashboard/daily-series.ts'
import { durationsOf } from '#src/server/dashboard/durations.ts'

const DAYS = ['2026-11-19', '2026-11-20', '2026-11-21']

const count = (day: string, series: 'submissions' | 'duration', subject: string, number: number) => ({
  ...{ day, series, subject },
  count: number,
})

test('a chart ends with this day', () => {
  assert.deepEqual(daysUntil('2026-11-21', 3), DAYS)
  assert.deepEqual(daysUntil('2026-03-01', 2), ['2026-02-28', '2026-03-01'])
})

test('a chart has a line for each subject, sorted by total, then name', () => {
  const counts = [
    count('2026-11-19', 'submissions', '3', 2),
    count('2026-11-19', 'submissions', '1', 1),
    count('2026-11-21', 'submissions', '2', 4),
    count('2026-11-21', 'submissions', '1', 1),
    count('2026-11-21', 'submissions', '1', 2),
    count('2026-11-18', 'submissions', '1', 100),
    count('2026-11-20', 'duration', '1', 100),
    // All of its leads were marked as spam.
    count('2026-11-20', 'submissions', '4', 0),
  ]
  const nameOf = (subject: string) => `Form ${5 - Number(subject)}`
  assert.deepEqual(seriesOf(counts, 'submissions', { days: DAYS, nameOf }), [
    { subject: '2', label: 'Form 3', values: [0, 0, 4], total: 4 },
    { subject: '1', label: 'Form 4', values: [1, 0, 3], total: 4 },
    { subject: '3', label: 'Form 2', values: [2, 0, 0], total: 2 },
  ])
})

test('response times count attempts per bucket, with their cumulative share', () => {
  const counts = [
    count('2026-11-19', 'duration', '50', 1),
    count('2026-11-21', 'duration', '50', 2),
    count('2026-11-21', 'duration', '500', 1),
    count('2026-11-18', 'duration', '500', 100),
    count('2026-11-21', 'submissions', '100', 100),
  ]
  const rows = durationsOf(counts, DAYS)
  assert.deepEqual(
    rows.slice(0, 4).map((row) => [row.withinMs, row.count, row.share]),
    [
      [50, 3, 0.75],
      [100, 0, 0.75],
      [250, 0, 0.75],
      [500, 1, 1],
    ],
  )
  assert.equal(rows.at(-1)?.share, 1)
  assert.deepEqual(durationsOf(counts.slice(3), DAYS), [])
})
