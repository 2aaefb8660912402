import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeRetention } from '#src/admin/backups/describe-retention.ts'
import { barParts, describeCounts } from '#src/admin/coverage/cell-looks.ts'
import { readQualityQuestion } from '#src/admin/coverage/quality-question.ts'
import { shortBytes, shortDay, shortDuration, withColors } from '#src/admin/dashboard/plot-view.ts'
import { readableSize } from '#src/admin/pictures/readable-size.ts'
import { listPeriods, periodName, toPlots } from '#src/admin/reports/report-view.ts'

const NO_PAGES = { offered: 0, overridden: 0, unlisted: 0, draft: 0, missing: 0 }

test('pages are counted by state, as text and as parts of a bar', () => {
  const counts = { ...NO_PAGES, offered: 1_200, draft: 400, missing: 2_400 }
  assert.equal(describeCounts(counts), '1,200 offered, 400 draft, 2,400 not offered')
  assert.deepEqual(barParts(counts), [
    { state: 'offered', x: 0, width: 30 },
    { state: 'draft', x: 30, width: 10 },
    { state: 'missing', x: 40, width: 60 },
  ])
  assert.deepEqual([describeCounts(NO_PAGES), barParts(NO_PAGES)], ['', []])
})

test('a question about pages ignores invalid values', () => {
  const ask = (query: string) => readQualityQuestion(new URL(`http://localhost/?${query}`))
  assert.deepEqual(ask('service=30&term=4&after=85~12'), {
    ...{ serviceId: 30, placeId: 4, after: { score: 85, entryId: 12 } },
  })
  const nothing = { serviceId: undefined, placeId: undefined, after: undefined }
  for (const query of [
    '',
    'service=x3&term=4x&after=85',
    `service=${'1'.repeat(16)}&after=8500~12`,
    `after=x85~12`,
    `after=85~12x`,
  ])
    assert.deepEqual(ask(query), nothing, query)
})

test('figures are short', () => {
  assert.deepEqual(['2026-11-01', '2026-11-20'].map(shortDay), ['Nov 1', 'Nov 20'])
  assert.deepEqual([850, 999, 1_000, 2_500].map(shortDuration), ['850 ms', '999 ms', '1 s', '2.5 s'])
  assert.deepEqual([0, 1, 999, 1_000, 1_440, 12_500_000, 1.44e9, 5e12, 5e16].map(shortBytes), [
    '0 B',
    '1 B',
    '999 B',
    '1 KB',
    '1.4 KB',
    '13 MB',
    '1.4 GB',
    '5 TB',
    '50,000 TB',
  ])
  assert.deepEqual([1, 1_000, 1_001, 1_000_000, 2_340_000].map(readableSize), [
    ...['1 KB', '1 KB', '2 KB', '1.0 MB', '2.3 MB'],
  ])
})

test('a plot has six colors, and all other series are one', () => {
  const series = Array.from({ length: 8 }, (_, at) => ({
    ...{ subject: `form-${at}`, label: `Form ${at}` },
    ...{ values: [at, 1], total: at + 1 },
  }))
  const six = withColors(series.slice(0, 6))
  assert.deepEqual(
    six.map(({ color }) => color),
    ['primary', 'accent', 'success', 'info', 'warning', 'error'],
  )
  assert.deepEqual(withColors(series), [...six, { label: '2 others', values: [13, 2], color: 'neutral' }])
})

test('periods are months and their years, the newest first', () => {
  const now = '2026-02'
  assert.deepEqual(listPeriods({ first: '2025-12', last: '2026-01' }, now), [
    ...['2026-02', '2026-01', '2025-12', '2026', '2025'],
  ])
  assert.deepEqual(listPeriods(undefined, now), ['2026-02', '2026'])
  const years = new Set(Array.from({ length: 10 }, (_, at) => String(2026 - at)))
  const all = listPeriods({ first: '1999-01', last: '2026-01' }, now)
  assert.equal(all.filter((period) => period.length === 7).length, 120)
  assert.ok(years.isSubsetOf(new Set(all)))
  assert.deepEqual(['2026', '2026-11', '2026-11-02'].map(periodName), ['2026', 'Nov 2026', 'Nov 2'])
})

test('won leads are part of all leads, and views are drawn by themselves', () => {
  const overTime = [
    { subject: '2026-11-01', leads: 5, won: 2, taps: 3, views: 100 },
    { subject: '2026-11-02', leads: 1, won: 0, taps: 0, views: 90 },
  ]
  const { leads, views } = toPlots({ overTime } as never)
  assert.deepEqual(leads.labels, ['Nov 1', 'Nov 2'])
  assert.deepEqual(
    leads.series.map(({ label, values, bar }) => [label, values, bar]),
    [
      ['Won leads', [2, 0], 'leads'],
      ['Other leads', [3, 1], 'leads'],
      ['Phone taps', [3, 0], 'taps'],
    ],
  )
  assert.deepEqual(
    views.series.map(({ label, values }) => [label, values]),
    [['Views', [100, 90]]],
  )
})

test('a form says how long deleted answers stay in backups', () => {
  const disk = { kind: 'disk', folder: '/data' } as const
  const describe = (backupKeep: number, databaseUrl = 'file:/data/signpost.db') =>
    describeRetention({ backupKeep, databaseUrl, dataDir: '/data', filePlace: disk })
  assert.match(describe(7), /stays in daily backups for 7 more days\. Leave empty/)
  assert.match(describe(1), /for 1 more day\./)
  // Without daily backups, and with a server's own ones, nobody knows.
  assert.match(describe(0), /until you delete the backups\./)
  assert.match(describe(7, 'postgres://localhost/a'), /until you delete the backups\./)
})
