import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { listInbox } from '#src/submissions/inbox/list-inbox.ts'
import { deleteNote, insertNote, listNotes } from '#src/submissions/inbox/note-store.ts'
import { placeOlderLeads } from '#src/submissions/places/place-leads.ts'
import { createSearchIndex } from '#src/submissions/search/search-index.ts'
import { findTaxonomy, insertTerms, setTermSlug, updateTerm } from '#src/taxonomies/taxonomy-store.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

const NOW = { now: new Date('2026-11-21T10:00:00.000Z') }

type Lead = { name: string; place?: [path: string, name: string]; service?: string }

async function addLeads(db: Kysely<Schema>, leads: readonly Lead[]): Promise<number[]> {
  const ids: number[] = []
  for (const { name, place: [path, placeName] = [], service } of leads) {
    const row = {
      form_id: 1,
      data_json: JSON.stringify({ name }),
      submitted_at: '2026-10-01T10:00:00.000Z',
      location_path: path ?? null,
      location_slug: path?.split('/').at(-1) ?? null,
      location_name: placeName ?? null,
      service_slug: service ?? null,
    }
    const { id } = await db
      .insertInto('form_submissions')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(id)
  }
  return ids
}

async function addPlaces(db: Kysely<Schema>) {
  const taxonomy = await findTaxonomy(db, 'locations')
  assert.ok(taxonomy)
  const ids = new Map<string, number>()
  const places = [
    ['clare', 'County Clare', null],
    ['kilkee', 'Kilkee', 'clare'],
    ['ennis', 'Ennis', 'clare'],
    ['kerry', 'County Kerry', null],
    ['ath', 'Áth an Mhuilinn', 'kerry'],
    ['ballina-mayo', 'Ballina', null],
    ['ballina', 'Ballina', null],
  ] as const
  for (const [position, [slug, name, parent]] of places.entries()) {
    const parentId = parent === null ? null : (ids.get(parent) ?? null)
    const added = await insertTerms(db, taxonomy.id, [{ slug, name, parentId, description: null, position }])
    for (const [key, id] of added) ids.set(key, id)
  }
  const parentOf = (slug: string) => places.find(([one]) => one === slug)?.[2] ?? ''
  const rename = (slug: string, name: string) => {
    const parentId = ids.get(parentOf(slug)) ?? null
    return updateTerm(db, ids.get(slug) ?? 0, { name, parentId, description: null, position: 0 })
  }
  return { ids, rename }
}

async function addService(db: Kysely<Schema>, slug: string, title: string): Promise<number> {
  const type = await findContentType(db, 'services')
  const { id } = await db
    .insertInto('content_entries')
    .values({ type_id: type?.id ?? 0, slug, title, status: 'published' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function addClerk(db: Kysely<Schema>) {
  const email = 'clerk@example.com'
  const { id } = await db
    .insertInto('admin_users')
    .values({ email })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, email }
}

const KILKEE: Lead = { name: 'Ann', place: ['clare/kilkee', 'Kilkee'], service: 'boiler-service' }
const ENNIS: Lead = { name: 'Bob', place: ['clare/ennis', 'Ennis'] }
const ATH: Lead = { name: 'Eve', place: ['kerry/ath', 'Áth an Mhuilinn'], service: 'drains' }
const NOWHERE: Lead = { name: 'Clare Daly' }

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  function searchOf(db: Kysely<Schema>) {
    const index = createSearchIndex({ db, log: { error: (details) => assert.fail(String(details)) } })
    after(() => index.stop())
    return async (filter: { search?: string; location?: string }) => {
      await placeOlderLeads(db)
      while (!(await index.catchUp(5_000)));
      const { submissions } = await listInbox(db, { scope: EVERY_LEAD, statuses: ['new'], ...filter })
      return submissions.map(({ id }) => id).sort((a, b) => a - b)
    }
  }

  test(`${engine.name}: a lead is found by the names of its place, the places above, and its service`, async () => {
    const db = await engine.openMigrated()
    const ids = searchOf(db)
    await addPlaces(db)
    await addService(db, 'boiler-service', 'Gas heating care')
    const [kilkee, ennis, ath, clare] = await addLeads(db, [KILKEE, ENNIS, ATH, NOWHERE])
    assert.deepEqual(await ids({ search: 'Kilkee' }), [kilkee])
    assert.deepEqual(await ids({ search: 'kilk' }), [kilkee])
    assert.deepEqual(await ids({ search: 'Clare' }), [kilkee, ennis, clare])
    assert.deepEqual(await ids({ search: 'county clare' }), [kilkee, ennis])
    assert.deepEqual(await ids({ search: 'ath an mhuilinn' }), [ath])
    assert.deepEqual(await ids({ search: 'gas heating' }), [kilkee])
    assert.deepEqual(await ids({ search: 'boiler' }), [kilkee])
    assert.deepEqual(await ids({ search: 'bob clare' }), [ennis])
  })

  test(`${engine.name}: a renamed place or service is found by its new and its old name`, async () => {
    const db = await engine.openMigrated()
    const ids = searchOf(db)
    const places = await addPlaces(db)
    const service = await addService(db, 'boiler-service', 'Boiler service')
    const [kilkee, ennis, ath] = await addLeads(db, [KILKEE, ENNIS, ATH])
    await ids({ search: 'indexed under the first names' })
    await places.rename('ennis', 'Inis')
    await places.rename('clare', 'Contae an Chláir')
    await places.rename('clare', 'Clare County')
    await setTermSlug(db, places.ids.get('ennis') ?? 0, 'inis')
    await db.updateTable('content_entries').set({ title: 'Heating care' }).where('id', '=', service).execute()
    const [later] = await addLeads(db, [{ name: 'Zoe', place: ['clare/inis', 'Inis'] }])
    assert.deepEqual(await ids({ search: 'inis' }), [ennis, later])
    assert.deepEqual(await ids({ search: 'Ennis' }), [ennis, later])
    assert.deepEqual(await ids({ search: 'chlair' }), [kilkee, ennis, later])
    assert.deepEqual(await ids({ search: 'zoe ennis' }), [later])
    assert.deepEqual(await ids({ search: 'heating' }), [kilkee])
    assert.deepEqual(await ids({ search: 'boiler' }), [kilkee])
    assert.deepEqual(await ids({ location: 'Inis' }), [ennis, later])
    assert.deepEqual(await ids({ location: 'Ennis' }), [ennis, later])
    assert.deepEqual(await ids({ location: 'contae an chlair' }), [kilkee, ennis, later])
    assert.deepEqual(await ids({ location: 'kerry' }), [ath])
  })

  test(`${engine.name}: the location filter takes names, parts of names and slugs, and no answers`, async () => {
    const db = await engine.openMigrated()
    const ids = searchOf(db)
    await addPlaces(db)
    const ballina = (path: string): Lead => ({ name: 'Zoe', place: [path, 'Ballina'] })
    const [kilkee, ennis, ath, , mayo, tipperary, gone] = await addLeads(db, [
      ...[KILKEE, ENNIS, ATH, NOWHERE, ballina('ballina-mayo'), ballina('ballina')],
      { name: 'Old', place: ['clare/quilty', 'Quilty'] },
    ])
    const both = [kilkee, ennis, gone]
    for (const location of ['clare', 'Clare', 'County Clare', 'county cl', 'CLAR', 'lare'])
      assert.deepEqual(await ids({ location }), both, location)
    assert.deepEqual(await ids({ location: 'county' }), [kilkee, ennis, ath, gone])
    assert.deepEqual(await ids({ location: 'Ath an Mhuilinn' }), [ath])
    assert.deepEqual(await ids({ location: 'Ballina' }), [mayo, tipperary])
    assert.deepEqual(await ids({ location: 'ballina-mayo' }), [mayo])
    assert.deepEqual(await ids({ location: 'Quilty' }), [gone], 'a place that was deleted since')
    assert.deepEqual(await ids({ location: 'Atlantis' }), [])
    assert.deepEqual(await ids({ location: 'kilkee', search: 'ann' }), [kilkee])
    assert.deepEqual(await ids({ location: 'kilkee', search: 'bob' }), [])
  })

  test(`${engine.name}: a partial name of hundreds of places says that some were left out`, async () => {
    const db = await engine.openMigrated()
    const taxonomy = await findTaxonomy(db, 'locations')
    const numbers = Array.from({ length: 401 }, (_, position) => position)
    const terms = numbers.map((position) => ({
      ...{ slug: `town-${position}`, name: `Town ${position}` },
      ...{ parentId: null, description: null, position },
    }))
    await insertTerms(db, taxonomy?.id ?? 0, terms)
    const [lead] = await addLeads(db, [{ name: 'Ann', place: ['town-7', 'Town 7'] }])
    await searchOf(db)({})
    const broad = await listInbox(db, { scope: EVERY_LEAD, statuses: ['new'], location: 'town' })
    assert.deepEqual([broad.submissions.map(({ id }) => id), broad.isBroad], [[lead], true])
    const narrow = await listInbox(db, { scope: EVERY_LEAD, statuses: ['new'], location: 'town 7' })
    assert.deepEqual([narrow.submissions.map(({ id }) => id), narrow.isBroad], [[lead], false])
  })

  test(`${engine.name}: notes are found until they are deleted, and unindexed leads aren’t hidden`, async () => {
    const db = await engine.openMigrated()
    const ids = searchOf(db)
    const author = await addClerk(db)
    const [ann, bob] = await addLeads(db, [KILKEE, ENNIS])
    await insertNote(db, bob ?? 0, { author, body: 'Prefers a morning visit' }, NOW)
    assert.deepEqual(await ids({ search: 'morning' }), [bob])
    assert.deepEqual(await ids({ search: 'ann' }), [ann], 'a lower id that came to the index with it')
    await insertNote(db, ann ?? 0, { author, body: 'Has a morning job' }, NOW)
    assert.deepEqual(await ids({ search: 'morning' }), [ann, bob])
    const [note] = await listNotes(db, bob ?? 0, EVERY_LEAD)
    assert.ok(await deleteNote(db, note?.id ?? 0, { scope: EVERY_LEAD, submissionId: bob ?? 0 }))
    assert.deepEqual(await ids({ search: 'morning' }), [ann])
    assert.deepEqual(await ids({ search: 'bob' }), [bob])
    await db
      .deleteFrom('form_submissions')
      .where('id', '=', ann ?? 0)
      .execute()
    assert.deepEqual(await ids({ search: 'morning' }), [])
  })

  test(`${engine.name}: leads from before the upgrade get names and notes indexed in the background`, async () => {
    const db = await engine.openEmpty()
    await migrate(db, { to: '0041' })
    const leads = await addLeads(db, Array(120).fill(KILKEE))
    const word = (id: number) =>
      engine.name === 'SQLite'
        ? sql`insert into submission_search (rowid, words) values (${id}, 'ann')`
        : sql`insert into submission_search (submission_id, words) values (${id}, to_tsvector('simple', 'ann'))`
    for (const id of leads) await word(id).execute(db)
    await migrate(db)
    await addPlaces(db)
    const ids = searchOf(db)
    assert.equal((await ids({ search: 'county clare kilkee' })).length, 50)
    await migrate(db)
    const { rows } = await sql`select * from submission_search_rebuild`.execute(db)
    assert.deepEqual(rows, [])
  })

  test(`${engine.name}: no typed word matches the index marks of places, services, and people`, async () => {
    const db = await engine.openMigrated()
    const ids = searchOf(db)
    await addPlaces(db)
    const [kilkee, , ath] = await addLeads(db, [KILKEE, ENNIS, ATH, { name: '087 123 4567' }])
    for (const search of ['place', 'pla', 'ªpl', 'apl', 'service0', 'aservice', 'phone', 'aph'])
      assert.deepEqual(await ids({ search }), [], search)
    assert.deepEqual(await ids({ location: 'kilkee' }), [kilkee])
    assert.deepEqual(await ids({ location: 'kerry' }), [ath])
  })

  test(`${engine.name}: the upgrade replaces searchable marks`, async () => {
    const db = await engine.openEmpty()
    await migrate(db, { to: '0150' })
    const [id = 0] = await addLeads(db, [KILKEE])
    const words = `ann place0${Buffer.from('kilkee').toString('hex')}`
    await (engine.name === 'SQLite'
      ? sql`insert into submission_search (rowid, words) values (${id}, ${words})`
      : sql`insert into submission_search (submission_id, words) values (${id}, to_tsvector('simple', ${words}))`
    ).execute(db)
    await migrate(db)
    await addPlaces(db)
    const ids = searchOf(db)
    assert.deepEqual(await ids({ search: 'place' }), [])
    assert.deepEqual(await ids({ location: 'kilkee' }), [id])
  })
}
