import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { placeOlderLeads } from '#src/submissions/places/place-leads.ts'
import { addUpLeads } from '#src/submissions/results/add-up-leads.ts'
import { cellKey, loadCellFigures } from '#src/submissions/results/cell-figures.ts'
import { addLeads, listLeadChanges, takeLeadChanges } from '#src/submissions/results/lead-count-store.ts'
import { isPeriod, loadReport } from '#src/submissions/results/load-report.ts'
import { findCountedMonths } from '#src/submissions/results/report-store.ts'
import { listPlaceRows, nameServices } from '#src/submissions/results/result-names.ts'
import { addTraffic, deleteDailyTraffic } from '#src/submissions/results/traffic-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

const NOVEMBER = { period: '2026-11', scope: { places: null } }
const NONE = { views: 0, taps: 0, leads: 0, won: 0 }

/** Adds leads of a service in a place to the sums of November. */
async function addSums(
  db: Kysely<Schema>,
  sums: readonly [service: string, place: string, leads: number, views?: number][],
) {
  for (const [subject, place, leads, views = 0] of sums) {
    const key = { period: '2026-11', dimension: 'service' as const, subject, place }
    await db
      .insertInto('lead_counts')
      .values({ ...key, leads })
      .execute()
    await db
      .insertInto('traffic_counts')
      .values({ ...key, views, taps: 0 })
      .execute()
  }
}

test('lines of a report are sorted by leads, views, and key; empty ones are left out', async (t) => {
  const db = await openTestDatabase(t)
  await addSums(db, [
    ['#5', '#', 1, 2],
    ['#4', '#', 1, 2],
    ['#8', '#', 3],
    ['#7', '#', 1, 9],
    ['#3', '#', 0, 0],
    ['#6', '#', 1],
  ])
  await db.updateTable('lead_counts').set({ won: 1 }).where('subject', '=', '#6').execute()
  const { services, total } = await loadReport(db, NOVEMBER)
  assert.deepEqual(
    services.map(({ subject }) => subject),
    ['#8', '#7', '#4', '#5', '#6'],
  )
  assert.deepEqual(total, { views: 13, taps: 0, leads: 7, won: 1 })
  assert.deepEqual(['2026', '2026-12', '2026-13', '1999', '2026-11-20', ''].map(isPeriod), [
    ...[true, true, false, false, false, false],
  ])
})

test('deleted services have no name, and deleted places the name of their last lead or their slugs', async (t) => {
  const db = await openTestDatabase(t)
  const roofing = await addEntry(db, 'services', { slug: 'roofing', title: 'Roofing' })
  const places = await addPlaces(db, 'ohio/dayton')
  const dayton = places.get('dayton') ?? 0
  const lead = { form_id: null, data_json: '{}', submitted_at: '2026-11-20T10:00:00.000Z', location_id: 900 }
  for (const location_name of [null, 'Gone'])
    await db
      .insertInto('form_submissions')
      .values({ ...lead, location_name })
      .execute()
  const rowOf = (subject: string) => ({ subject, ...NONE, leads: 1 })
  const services = [`#${roofing}`, '#999', '=old', ''].map(rowOf)
  assert.deepEqual([...(await nameServices(db, services))], [[`#${roofing}`, 'Roofing']])
  const subjects = [`#${dayton}`, '#900', '#901', '=texas/austin', '']
  const rows = await listPlaceRows(db, { places: subjects.map(rowOf) }, { places: null })
  const names = Object.fromEntries(rows.map(({ subject, names }) => [subject, names]))
  assert.deepEqual(names, {
    [`#${places.get('ohio')}`]: ['Ohio'],
    [`#${dayton}`]: ['Dayton', 'Ohio'],
    '#900': ['Gone'],
    '#901': [],
    '=texas/austin': ['austin', 'texas'],
    '': [],
  })
})

test('a cell of a matrix has the results of a service in a place and the places below it', async (t) => {
  const db = await openTestDatabase(t)
  await addSums(db, [
    ['#21', '#12', 2, 5],
    ['#21', '#13', 1],
    ['#22', '#12', 4],
    ['#21', '#99', 7],
    ['#21', '', 7],
  ])
  const all = { period: '2026-11', dimension: 'all' as const, subject: '', leads: 1 }
  const counted = ['#12', '#13', '#99', '', '#'].map((place) => ({ ...all, place }))
  await db.insertInto('lead_counts').values(counted).execute()
  const rows = [
    { placeId: 11, below: [12, 13] },
    { placeId: 12, below: [] },
  ]
  const cells = async (places: number[] | null) =>
    Object.fromEntries(await loadCellFigures(db, { ...NOVEMBER, scope: { places }, serviceIds: [21], rows }))
  const ofTwelve = { ...NONE, leads: 2, views: 5 }
  assert.deepEqual(await cells(null), { '21 11': { ...ofTwelve, leads: 3 }, '21 12': ofTwelve })
  assert.deepEqual(await cells([12]), { '21 11': ofTwelve, '21 12': ofTwelve })
  assert.equal(cellKey(21, 12), '21 12')
})

test('more sums of slugs than one step takes get the IDs of their places, without any lead', async (t) => {
  const db = await openTestDatabase(t)
  const slugs = Array.from({ length: 201 }, (_, index) => `place-${index}`)
  const places = await addPlaces(db, ...slugs)
  await addSums(
    db,
    slugs.map((slug) => ['', `old/county/${slug}`, 1]),
  )
  await addSums(db, [['', `#${places.get('place-7')}`, 5]])
  await placeOlderLeads(db)
  const rows = await db.selectFrom('lead_counts').select(['place', 'leads']).execute()
  const expected = slugs.map((slug) => `#${places.get(slug)} ${slug === 'place-7' ? 6 : 1}`)
  assert.deepEqual(rows.map(({ place, leads }) => `${place} ${leads}`).sort(), expected.sort())
})

test('a report lists each day of its month, or each month of its year', async (t) => {
  const db = await openTestDatabase(t)
  const partsOf = async (period: string) =>
    (await loadReport(db, { ...NOVEMBER, period })).overTime.map(({ subject }) => subject)
  const november = await partsOf('2026-11')
  assert.deepEqual([november[0], november.at(-1), november.length], ['2026-11-01', '2026-11-30', 30])
  assert.equal((await partsOf('2028-02')).length, 29)
  const year = await partsOf('2026')
  assert.deepEqual([year[0], year.at(-1), year.length], ['2026-01', '2026-12', 12])
})

test('sums of days are deleted before a day; those of months and years stay', async (t) => {
  const db = await openTestDatabase(t)
  const key = { subject: '', place: '#', views: 1, taps: 0 }
  const periods = ['2026', '2026-10', '2026-10-31', '2026-11-01']
  const sums = periods.map((period) => ({ ...key, period, dimension: 'all' as const }))
  await db.insertInto('traffic_counts').values(sums).execute()
  await deleteDailyTraffic(db, { before: '2026-11-01' })
  const left = await db.selectFrom('traffic_counts').select('period').orderBy('period').execute()
  assert.deepEqual(
    left.map(({ period }) => period),
    ['2026', '2026-10', '2026-11-01'],
  )
})

test('changes of leads are taken once, and added to the sums', async (t) => {
  const db = await openTestDatabase(t)
  const change = { day: '2026-11-20', service: '', place: '#12', source: 'direct', page: '/' }
  await db
    .insertInto('lead_changes')
    .values([1, 1, -1].map((leads) => ({ ...change, leads, won: 0 })))
    .execute()
  const listed = await listLeadChanges(db, { limit: 2 })
  const ids = listed.map(({ id }) => id)
  const taken = await takeLeadChanges(db, ids)
  assert.deepEqual([taken.length, await takeLeadChanges(db, ids), await takeLeadChanges(db, [])], [2, [], []])
  await addLeads(db, taken)
  await addLeads(db, await takeLeadChanges(db, [3]))
  const [sum] = await db
    .selectFrom('lead_counts')
    .select('leads')
    .where('period', '=', '2026-11-20')
    .where('place', '=', '#12')
    .where('dimension', '=', 'all')
    .execute()
  assert.equal(sum?.leads, 1)
})

test('views and changes of many pages are added up once, as far as told', async (t) => {
  const db = await openTestDatabase(t)
  assert.equal(await findCountedMonths(db), undefined)
  const pages = Array.from({ length: 120 }, (_, index) => `/${index}`)
  const of = { day: '2026-10-31', service: '', place: '#12', source: 'direct' }
  await db.transaction().execute((trx) =>
    addTraffic(
      trx,
      pages.map((page) => ({ ...of, page, views: 1, taps: 1 })),
    ),
  )
  const changes = pages.map((page) => ({ ...of, day: '2026-11-20', page, leads: 1, won: 0 }))
  await db.insertInto('lead_changes').values(changes).execute()
  const waiting = async () => (await db.selectFrom('lead_changes').select('id').execute()).length
  await addUpLeads(db, { signal: AbortSignal.abort() })
  assert.equal(await waiting(), 120)
  await addUpLeads(db, { signal: new AbortController().signal })
  assert.equal(await waiting(), 0)
  const year = await loadReport(db, { ...NOVEMBER, period: '2026' })
  const { total, overTime, places, sources, pages: shown } = year
  const all = { views: 120, taps: 120, leads: 120, won: 0 }
  assert.deepEqual(total, all)
  assert.deepEqual([places, sources], [[{ subject: '#12', ...all }], [{ subject: 'direct', ...all }]])
  assert.deepEqual(overTime.slice(9, 11), [
    { ...NONE, subject: '2026-10', views: 120, taps: 120 },
    { ...NONE, subject: '2026-11', leads: 120 },
  ])
  assert.deepEqual((await loadReport(db, { period: '2026', scope: { places: [12] } })).total, all)
  for (const ids of [[], [13]])
    assert.deepEqual((await loadReport(db, { period: '2026', scope: { places: ids } })).total, NONE)
  assert.ok(shown.every(({ views, leads }) => views === 1 && leads === 1))
  assert.deepEqual(await findCountedMonths(db), { first: '2026-10', last: '2026-11' })
})
