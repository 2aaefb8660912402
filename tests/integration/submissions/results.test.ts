import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import type { Kysely, Selectable } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { addUpLeads } from '#src/submissions/results/add-up-leads.ts'
import { cellKey, loadCellFigures } from '#src/submissions/results/cell-figures.ts'
import { loadReport } from '#src/submissions/results/load-report.ts'
import { listPlaceRows } from '#src/submissions/results/result-names.ts'
import { addTraffic, type Traffic } from '#src/submissions/results/traffic-store.ts'
import { deleteSubmissions } from '#src/submissions/retention/retention-store.ts'
import { findTaxonomy } from '#src/taxonomies/taxonomy-store.ts'
import { assertWithin } from '../../support/assert-within.ts'
import { countReport, listEvents, sumsBy, sumsOfReport } from '../../support/count-results.ts'
import { sqliteEngine } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { watchLoop } from '../../support/longest-turn.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { printFigure } from '../../support/soak.ts'

type Row = Schema['form_submissions']
type Lead = Selectable<Row>

const DAYS = ['2026-10-31', '2026-11-01', '2026-11-20', '2025-11-20']
const [CLARE, ENNIS] = [11, 12]
// The slug of a place, its path as the page had it, and its ID: one that waits for its ID, one that is gone.
const PLACES = [
  [null, null],
  ['ireland/clare', CLARE],
  ['ireland/clare/ennis', ENNIS],
  ['ireland/ennis', ENNIS],
  ['ireland/clareen', null],
  ['ireland/limerick', 0],
] as const
const SERVICES = [
  [null, null],
  ['boiler-service', 21],
  ['emergency', 0],
  ['drains', null],
] as const
const SOURCES = [null, 'ads:google', 'direct']

// Some have a day in another month.
const MOMENTS = DAYS.map((day, index) => ({
  submitted_at: `${day}T23:59:59.999Z`,
  local_day: ['2026-11-01', null, '2026-11-21', null][index] ?? null,
}))
const lead = fc
  .record({
    place: fc.constantFrom(...PLACES),
    service: fc.constantFrom(...SERVICES),
    at: fc.constantFrom(...MOMENTS),
    status: fc.constantFrom('new', 'read', 'archived', 'spam') as fc.Arbitrary<'new' | 'spam'>,
    is_won: fc.constantFrom(0, 1) as fc.Arbitrary<0 | 1>,
    source: fc.constantFrom(...SOURCES),
    page_path: fc.constantFrom(null, '/', '/services'),
  })
  .map(({ at, place: [location_path, location_id], service: [service_slug, service_id], ...rest }) => ({
    ...{ ...at, ...rest },
    ...{ location_path, location_id, service_slug, service_id },
  }))
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      rows: fc.array(lead, { minLength: 1, maxLength: 8 }),
    }),
  },
  fc.record({ kind: fc.constant('update' as const), which: fc.nat(20), change: lead }),
  fc.record({ kind: fc.constant('remove' as const), which: fc.nat(20) }),
  fc.record({ kind: fc.constant('add up' as const) }),
)

const visit = fc.record({
  day: fc.constantFrom(...DAYS),
  service: fc.constantFrom('', '#21'),
  place: fc.constantFrom('', '#12', '=ireland/limerick'),
  source: fc.constantFrom('direct', 'onsite'),
  page: fc.constantFrom('/', '/services'),
  views: fc.nat(5),
  taps: fc.nat(2),
})

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())
  test(`${engine.name}: a report equals a plain count of leads and visits after random changes`, async () => {
    const db = await engine.openMigrated()
    const form = await storeForm(db, 'quote')
    const { id: taxonomyId = 0 } = (await findTaxonomy(db, 'locations')) ?? {}
    const ennis = { id: ENNIS, parent_id: CLARE, slug: 'ennis', name: 'Ennis' }
    const terms = [{ id: CLARE, parent_id: null, slug: 'clare', name: 'Clare' }, ennis]
    await db
      .insertInto('taxonomy_terms')
      .values(terms.map((term) => ({ ...term, taxonomy_id: taxonomyId })))
      .execute()
    const runs = engine.name === 'SQLite' ? 60 : 8
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.array(visit, { maxLength: 10 }),
      async (steps, visits) => {
        await clear(db)
        const removed: Lead[] = []
        for (const one of steps) await take(db, one, { formId: form.id, removed })
        await db.transaction().execute((trx) => addTraffic(trx, visits))
        for (const period of ['2026-11', '2026-10', '2026'])
          for (const places of [null, [CLARE, ENNIS], [ENNIS], []])
            await assertEqual(db, { period, places }, { visits, removed })
      },
    )
    await fc.assert(property, { numRuns: runs })
  })
}

async function clear(db: Kysely<Schema>) {
  for (const table of ['form_submissions', 'lead_changes', 'lead_counts', 'traffic_counts'] as const)
    await db.deleteFrom(table).execute()
}

async function take(
  db: Kysely<Schema>,
  one: { kind: 'insert' | 'update' | 'remove' | 'add up'; rows?: object[]; which?: number; change?: object },
  { formId, removed }: { formId: number; removed: Lead[] },
) {
  if (one.kind === 'insert') {
    const rows = (one.rows ?? []).map((row) => ({ ...row, form_id: formId, data_json: '{}' }))
    await db
      .insertInto('form_submissions')
      .values(rows as never)
      .execute()
  } else if (one.kind === 'add up') await addUpLeads(db)
  else {
    const leads = await db.selectFrom('form_submissions').selectAll().orderBy('id').execute()
    const chosen = leads.at((one.which ?? 0) % (leads.length || 1))
    if (!chosen) return
    const { id } = chosen
    if (one.kind === 'remove') {
      removed.push(chosen)
      await deleteSubmissions(db, [id])
      return
    }
    await db
      .updateTable('form_submissions')
      .set(one.change as Partial<Row> as never)
      .where('id', '=', id)
      .execute()
  }
}

// In memory, row by row. A lead that was deleted or erased counts as it was.
async function assertEqual(
  db: Kysely<Schema>,
  { period, places }: { period: string; places: number[] | null },
  { visits, removed }: { visits: readonly Traffic[]; removed: readonly Lead[] },
) {
  const stored = await db.selectFrom('form_submissions').selectAll().execute()
  const events = listEvents([...stored, ...removed], visits)
  const report = await loadReport(db, { period, scope: { places } })
  const expected = countReport(events, { period, places })
  assert.deepEqual(sumsOfReport(report), expected)
  const byPlace = (await listPlaceRows(db, report, { places })).filter(({ isItself }) => !isItself)
  const seesClare = places === null || places.includes(CLARE)
  assert.deepEqual(sumsOfReport({ ...report, places: byPlace }).places, withAreas(expected.places, seesClare))
  const rows = [
    { placeId: 11, below: [12] },
    { placeId: 12, below: [] },
  ]
  const cells = await loadCellFigures(db, { period, scope: { places }, serviceIds: [21], rows })
  const counted = sumsBy(
    rows.flatMap(({ placeId, below }) =>
      events
        .filter(
          ({ day, service }) =>
            day.startsWith(`${period}-`) && service !== '=emergency' && service !== 'drains',
        )
        .flatMap((event) => {
          const id = Number(event.place.slice(1))
          const isSeen = event.place.startsWith('#') && (!places || places.includes(id))
          return isSeen && [placeId, ...below].includes(id) ? { ...event, place: String(placeId) } : []
        }),
    ),
    ({ service, place }) => cellKey(service === '' ? 0 : Number(service.slice(1)), Number(place)),
  )
  const shown = [...cells].map(
    ([key, { views, taps, leads, won }]) => [key, [views, taps, leads, won]] as const,
  )
  const filled = shown.filter(([, figures]) => figures.some((one) => one !== 0))
  assert.deepEqual(Object.fromEntries(filled), counted)
}

// Ennis is in Clare, which an account limited to Ennis doesn't see.
function withAreas(sums: Record<string, number[]>, seesClare: boolean): Record<string, number[]> {
  const ennis = sums[`#${ENNIS}`]
  if (!ennis || !seesClare) return sums
  const clare = sums[`#${CLARE}`] ?? []
  return { ...sums, [`#${CLARE}`]: ennis.map((count, index) => count + (clare[index] ?? 0)) }
}

test('summing many changes yields the event loop to visitors', async (t) => {
  const engine = sqliteEngine()
  t.after(() => engine.close())
  const db = await engine.openMigrated()
  const changes = Array.from({ length: 3_000 }, (_, index) => ({
    ...{
      day: '2026-11-20',
      service: `#${index % 50}`,
      place: `#${index}`,
      source: 'direct',
      page: `/page-${index}`,
    },
    ...{ leads: 1, won: 0 },
  }))
  for (let at = 0; at < changes.length; at += 500)
    await db
      .insertInto('lead_changes')
      .values(changes.slice(at, at + 500))
      .execute()
  const watch = watchLoop()
  await addUpLeads(db)
  await nextTurn()
  await nextTurn()
  const { ownMs, clockMs } = watch.end()
  printFigure(t, `${ownMs.toFixed(0)} ms of its own, ${clockMs.toFixed(0)} ms elapsed`)
  const [{ leads = 0 } = {}] = await db
    .selectFrom('lead_counts')
    .select('leads')
    .where('dimension', '=', 'all')
    .where('place', '=', '#')
    .where('period', '=', '2026')
    .execute()
  assert.equal(leads, changes.length)
  assertWithin(ownMs, 60)
})
