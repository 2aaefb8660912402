import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { listInbox } from '#src/submissions/inbox/list-inbox.ts'
import { placeOlderLeads } from '#src/submissions/places/place-leads.ts'
import { addUpLeads } from '#src/submissions/results/add-up-leads.ts'
import { loadReport } from '#src/submissions/results/load-report.ts'
import { listPlaceRows } from '#src/submissions/results/result-names.ts'
import { findLeadScope } from '#src/submissions/scope/scope-store.ts'
import { createSearchIndex } from '#src/submissions/search/search-index.ts'
import { setTermSlug } from '#src/taxonomies/taxonomy-store.ts'
import { sqliteEngine } from '../../support/database.ts'
import { aDesk, assertStored } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { addPlaces } from '../../support/small-site.ts'

const NOVEMBER = { period: '2026-11', scope: EVERY_LEAD }
const AT = '2026-11-20T10:00:00.000Z'

// As an earlier version stored them.
async function storeOlderLeads(db: Kysely<Schema>, places: readonly string[]): Promise<number[]> {
  const rows = places.map((place) => ({
    ...{ form_id: 1, data_json: '{"full_name":"Ann"}', submitted_at: AT },
    ...{ location_slug: place, location_path: `texas/${place}`, service_slug: 'repair' },
  }))
  const stored = await db.insertInto('form_submissions').values(rows).returning('id').execute()
  return stored.map(({ id }) => id).sort((a, b) => a - b)
}

async function idsOf(
  db: Kysely<Schema>,
  filter: Partial<Parameters<typeof listInbox>[1]>,
): Promise<number[]> {
  const index = createSearchIndex({ db, log: { error: (details) => assert.fail(String(details)) } })
  while (!(await index.catchUp(5_000)));
  await index.stop()
  const { submissions } = await listInbox(db, { scope: EVERY_LEAD, statuses: ['new'], ...filter })
  return submissions.map(({ id }) => id).sort((a, b) => a - b)
}

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: a lead stays with its place when the slug is renamed and another place gets it`, async () => {
    const db = await engine.openMigrated()
    const form = await storeForm(db, 'quote')
    const ids = await addPlaces(db, 'texas/austin', 'texas/dallas')
    const [austin, dallas] = ['austin', 'dallas'].map((slug) => ids.get(slug) as number)
    assert.ok(austin && dallas)
    const page = { serviceSlug: 'repair', serviceName: 'Repair', serviceId: 7 }
    const place = { locationSlug: 'austin', locationName: 'Austin', locationPath: 'texas/austin' }
    const desk = aDesk(db, {
      findPage: () => ({ ...page, ...place, locationId: austin }),
      now: () => new Date(AT),
    })
    const { id } = assertStored(
      await desk.accept(form.slug, { _page: '/services/repair/austin', answer: 'Leak' }),
    )
    await setTermSlug(db, austin, 'atx')
    await setTermSlug(db, dallas, 'austin')
    const [own, other] = [
      await findLeadScope(db, { places: [austin], forms: null }),
      await findLeadScope(db, { places: [dallas], forms: null }),
    ]
    assert.deepEqual(await idsOf(db, { scope: own }), [id])
    assert.deepEqual(await idsOf(db, { scope: other }), [])
    for (const location of ['atx', 'Austin']) assert.deepEqual(await idsOf(db, { location }), [id], location)
    assert.deepEqual(await idsOf(db, { location: 'Dallas' }), [])
    assert.deepEqual(await idsOf(db, { scope: other, search: 'austin' }), [])
    for (const isAdded of [false, true]) {
      if (isAdded) await addUpLeads(db)
      assert.equal((await loadReport(db, { ...NOVEMBER, scope: own })).total.leads, 1)
      assert.equal((await loadReport(db, { ...NOVEMBER, scope: other })).total.leads, 0)
    }
    const report = await loadReport(db, NOVEMBER)
    const shown = async () =>
      (await listPlaceRows(db, report, EVERY_LEAD)).map(({ names, leads }) => [...names, leads])
    assert.deepEqual(await shown(), [
      ['Texas', 1],
      ['Austin', 'Texas', 1],
    ])
    await db.deleteFrom('taxonomy_terms').where('id', '=', austin).execute()
    assert.deepEqual(await shown(), [['Austin', 1]])
  })

  test(`${engine.name}: the upgrade gives older leads and sums their place IDs and counts nothing twice`, async () => {
    const db = await engine.openEmpty()
    await migrate(db, { to: '0206' })
    const [first, second, gone] = await storeOlderLeads(db, ['austin', 'dallas', 'elpaso'])
    assert.ok(first && second && gone)
    const sums = [
      { period: '2026-11', dimension: 'service' as const, subject: 'repair' },
      { period: '2026-11', dimension: 'all' as const, subject: '' },
    ]
    const visits = [
      { place: 'texas/austin', views: 5, taps: 1 },
      { place: 'texas/elpaso', views: 2, taps: 0 },
    ]
    await db
      .insertInto('traffic_counts')
      .values(sums.flatMap((key) => visits.map((visit) => ({ ...key, ...visit }))))
      .execute()
    await migrate(db)
    await addUpLeads(db)
    const ids = await addPlaces(db, 'texas/austin', 'texas/dallas')
    const scope = await findLeadScope(db, { places: [ids.get('austin') as number], forms: null })
    assert.deepEqual(await idsOf(db, { scope }), [], 'closed until it is known')
    await placeOlderLeads(db)
    await placeOlderLeads(db)
    assert.deepEqual(await idsOf(db, { scope }), [first])
    assert.deepEqual(await idsOf(db, { location: 'Austin' }), [first])
    for (const isAdded of [false, true]) {
      if (isAdded) await addUpLeads(db)
      const all = await loadReport(db, NOVEMBER)
      assert.deepEqual(all.total, { views: 7, taps: 1, leads: 3, won: 0 })
      const figures = (subject: string) => all.places.find((row) => row.subject === subject)
      assert.deepEqual(figures(`#${ids.get('austin')}`), {
        ...{ subject: `#${ids.get('austin')}`, views: 5, taps: 1, leads: 1, won: 0 },
      })
      assert.deepEqual(figures('=texas/elpaso'), {
        subject: '=texas/elpaso',
        views: 2,
        taps: 0,
        leads: 1,
        won: 0,
      })
      assert.equal((await loadReport(db, { ...NOVEMBER, scope })).total.leads, 1)
    }
  })

  test(`${engine.name}: the upgrade keeps each lead’s stage and counts won leads`, async () => {
    const db = await engine.openEmpty()
    await migrate(db, { to: '0206' })
    const ids = await storeOlderLeads(db, ['austin', 'austin', 'dallas'])
    for (const [index, stage] of ['won', 'quoted', 'new'].entries())
      await db
        .updateTable('form_submissions')
        .set({ stage })
        .where('id', '=', ids[index] ?? 0)
        .execute()
    await migrate(db)
    const rows = await db.selectFrom('form_submissions').select(['stage', 'is_won']).orderBy('id').execute()
    assert.deepEqual(
      rows.map(({ stage, is_won }) => [stage, is_won]),
      [
        ['won', 1],
        ['quoted', 0],
        ['new', 0],
      ],
    )
    assert.deepEqual((await loadReport(db, NOVEMBER)).total, { views: 0, taps: 0, leads: 3, won: 1 })
    await placeOlderLeads(db)
    assert.deepEqual((await loadReport(db, NOVEMBER)).total, { views: 0, taps: 0, leads: 3, won: 1 })
    await db.updateTable('form_submissions').set({ stage: 'of-any-name' }).execute()
  })
}
