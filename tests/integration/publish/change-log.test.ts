import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import {
  deleteOldChanges,
  findLogEnd,
  listChangesAfter,
  listLoggedAfter,
} from '#src/publish/changes/change-store.ts'
import { endPublish, insertPublish } from '#src/publish/publish-store.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { DEFAULT_STAGES } from '#src/submissions/stages/stage-settings.ts'
import { openTestDatabase } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { pgliteEngine } from '../../support/postgres-engine.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { plansOf } from '../../support/query-plans.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const NOW = '2026-11-20T10:00:00.000Z'

async function changesOf(db: Kysely<Schema>, work: () => Promise<unknown>) {
  const before = await findLogEnd(db)
  await work()
  const changes = await listChangesAfter(db, before, { limit: 100 })
  return [...new Set(changes?.map(({ subject }) => subject))].sort()
}

async function walkTables(db: Kysely<Schema>) {
  const places = await addPlaces(db, 'usa/texas')
  const entryId = await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  const set = (title: string) => db.updateTable('content_entries').set({ title }).where('id', '=', entryId)
  const term = db.updateTable('taxonomy_terms').where('slug', '=', 'texas')
  const forms = db.updateTable('forms')
  const saveSettings = (settings: object) =>
    saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, ...settings }, { now: NOW })
  const steps: [string[], () => Promise<unknown>][] = [
    [['entry'], () => set('Drain cleaning').execute()],
    [[], () => set('Drain cleaning').execute()],
    [
      ['entry'],
      () => offer(db, { slug: 'drains', id: entryId }, { slug: 'texas', id: places.get('texas') as number }),
    ],
    [['term'], () => term.set({ description: 'Large.' }).execute()],
    [['taxonomy'], () => db.updateTable('taxonomies').set({ has_archive: 1 }).execute()],
    [['type'], () => db.updateTable('content_types').set({ description: 'Other' }).execute()],
    [['form'], () => storeForm(db, 'quote')],
    [['form'], () => db.updateTable('form_fields').set({ label: 'Another' }).execute()],
    [[], () => forms.set({ updated_at: NOW }).execute()],
    [['setting'], () => saveSettings({ name: 'A name' })],
    [[], () => saveSettings({ name: 'A name', record_reading: true })],
    [[], () => saveSettings({ name: 'A name', stages: DEFAULT_STAGES.slice(0, -1) })],
    [['setting'], () => saveSettings({ name: 'A name', attribution: false })],
    [['entry'], () => db.deleteFrom('content_entries').where('id', '=', entryId).execute()],
  ]
  for (const [expected, step] of steps) assert.deepEqual(await changesOf(db, step), expected, `${step}`)
}

test('the change log records every save that changes pages, and no unchanged save', async (t) => {
  await walkTables(await openTestDatabase(t))
})

test('PostgreSQL keeps the same change log', async (t) => {
  const engine = pgliteEngine()
  t.after(() => engine.close())
  await walkTables(await engine.openMigrated())
})

test('a reverted change isn’t in the log', async (t) => {
  const db = await openTestDatabase(t)
  const before = await findLogEnd(db)
  const failing = db.transaction().execute(async (trx) => {
    await addEntry(trx as never, 'pages', { slug: 'about', title: 'About' })
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  assert.deepEqual(await listChangesAfter(db, before, { limit: 10 }), [])
})

test('a change log that is too short or from another database is ignored', async (t) => {
  const db = await openTestDatabase(t)
  const start = await findLogEnd(db)
  await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  assert.equal(await listChangesAfter(db, { ...start, savedAt: '2020' }, { limit: 10 }), undefined)
  const end = await findLogEnd(db)
  await deleteOldChanges(db, { before: '9999' })
  assert.equal(await listChangesAfter(db, start, { limit: 10 }), undefined)
  assert.deepEqual(await listChangesAfter(db, end, { limit: 10 }), [])
})

test('changes stay in the log until they are published', async (t) => {
  const db = await openTestDatabase(t)
  await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  const published = await findLogEnd(db)
  const started = { machine: 'here', startedBy: 'admin' as const, userId: null, startedAt: NOW }
  const end = { status: 'published' as const, finishedAt: NOW, changeId: published.id }
  await endPublish(db, await insertPublish(db, started), end)
  await addEntry(db, 'pages', { slug: 'team', title: 'Team' })
  await storeForm(db, 'quote')
  await deleteOldChanges(db, { before: '9999' })
  const changes = await listChangesAfter(db, published, { limit: 10 })
  assert.deepEqual(changes?.map(({ subject }) => subject).toSorted(), ['entry', 'form'])
  await endPublish(db, await insertPublish(db, started), { ...end, changeId: (await findLogEnd(db)).id })
  await deleteOldChanges(db, { before: '9999' })
  assert.equal(await listChangesAfter(db, published, { limit: 10 }), undefined)
})

test('changes since the release that a rollback shows stay in the log', async (t) => {
  const db = await openTestDatabase(t)
  await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  const shown = await findLogEnd(db)
  await addEntry(db, 'pages', { slug: 'team', title: 'Team' })
  const started = { machine: 'here', startedBy: 'admin' as const, userId: null, startedAt: NOW }
  const end = { status: 'published' as const, finishedAt: NOW }
  await endPublish(db, await insertPublish(db, started), { ...end, changeId: (await findLogEnd(db)).id })
  await endPublish(db, await insertPublish(db, started), { status: 'rolled_back', finishedAt: NOW })
  await storeForm(db, 'quote')
  const kept = async () =>
    (await listChangesAfter(db, shown, { limit: 10 }))?.map(({ subject }) => subject).toSorted()
  await deleteOldChanges(db, { before: '9999' })
  assert.deepEqual(await kept(), ['entry', 'form'])
  await endPublish(db, await insertPublish(db, started), { ...end, changeId: (await findLogEnd(db)).id })
  await deleteOldChanges(db, { before: '9999' })
  assert.equal(await kept(), undefined)
})

test('what was saved after a position is listed once, the latest first', async (t) => {
  const db = await openTestDatabase(t)
  const log = (...rows: [subject: string, subjectId: number, second: number][]) =>
    db
      .insertInto('content_changes')
      .values(
        rows.map(([subject, subjectId, second]) => ({
          ...{ subject: subject as 'entry', subject_id: `${subjectId}`, action: 'edited' as const },
          saved_at: new Date(Date.parse(NOW) + second * 1_000).toISOString(),
        })) as never,
      )
      .execute()
  await log(['entry', 1, 0], ['log', 0, 1])
  const position = await findLogEnd(db)
  assert.deepEqual([position.savedAt, position.openSince], ['2026-11-20T10:00:01.000Z', null])
  assert.deepEqual(await listLoggedAfter(db, position, { limit: 9 }), [])
  await log(['entry', 1, 2], ['term', 1, 3], ['log', 0, 4], ['entry', 2, 5], ['entry', 1, 6], ['log', 0, 7])
  const row = (subject: string, subjectId: string, after: number, second: number) => {
    const savedAt = `2026-11-20T10:00:0${second}.000Z`
    return { subject, subjectId, changeId: position.id + after, savedAt }
  }
  const logged = [row('entry', '1', 5, 6), row('entry', '2', 4, 5), row('term', '1', 2, 3)]
  assert.deepEqual(await listLoggedAfter(db, position, { limit: 3 }), logged)
  assert.deepEqual(await listLoggedAfter(db, position, { limit: 2 }), logged.slice(0, 2))
  const subjects = (await listChangesAfter(db, position, { limit: 3 }))?.map(Object.values)
  assert.deepEqual(subjects?.toSorted(), [
    ['entry', '1'],
    ['entry', '2'],
    ['term', '1'],
  ])
})

test('an edited place is compared alone, and the history says so', async (t) => {
  const { db, publish, setTitle } = await aPublishedSite(t)
  const last = async () => {
    const rows = await db.selectFrom('publishes').select(['scope_code', 'change_id']).orderBy('id').execute()
    return rows.at(-1)
  }
  assert.equal((await publish()).scope, 'first')
  await setTitle('Cooling for Dallas')
  const { plan, scope } = await publish()
  assert.deepEqual([scope, plan.changed], ['changes', 1])
  assert.deepEqual(await last(), { scope_code: 'changes', change_id: (await findLogEnd(db)).id })
  const again = await publish()
  assert.deepEqual(
    [again.scope, again.kind, again.plan.unchanged],
    ['changes', 'unchanged', plan.unchanged + 1],
  )
})

test('an edit of a service compares the pages that show more than its name', async (t) => {
  const { db, publish, service } = await aPublishedSite(t)
  await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  const all = (await publish()).plan.added
  const edit = async (values: object) => {
    await db.updateTable('content_entries').set(values).where('id', '=', service.id).execute()
    const { scope, plan } = await publish()
    return { scope, changed: plan.changed, unchanged: plan.unchanged }
  }
  // Its page and those in Austin and Dallas; then also the home page and the list of services.
  assert.deepEqual(await edit({ body: 'Any make.' }), { scope: 'changes', changed: 3, unchanged: all - 3 })
  const data_json = JSON.stringify({ price_from: '$89' })
  assert.deepEqual(await edit({ data_json }), { scope: 'changes', changed: 5, unchanged: all - 5 })
})

test('an edit of a review compares the pages that show it', async (t) => {
  const { db, publish, service, places } = await aPublishedSite(t)
  const reviews: number[] = []
  for (const slug of ['one', 'two', 'three', 'four'])
    reviews.push(await addEntry(db, 'testimonials', { slug, title: slug, data: { service: service.slug } }))
  const [, , , fourth = 0] = reviews
  const type = await db
    .selectFrom('content_types')
    .select('id')
    .where('slug', '=', 'testimonials')
    .executeTakeFirstOrThrow()
  const dallas = places.get('dallas') as number
  const link = { entry_id: fourth, term_id: dallas, type_id: type.id }
  await db.insertInto('entry_taxonomy_terms').values(link).execute()
  const all = (await publish()).plan.added
  const edit = async (id: number, values: object) => {
    await db.updateTable('content_entries').set(values).where('id', '=', id).execute()
    const { scope, plan } = await publish()
    return [scope, plan.changed, plan.unchanged]
  }
  // Three fit the service; the fourth is about Dallas, and the home page has all.
  assert.deepEqual(await edit(fourth, { body: 'They came.' }), ['changes', 2, all - 2])
  assert.deepEqual(await edit(reviews[2] ?? 0, { body: 'They came.' }), ['changes', 3, all - 3])
  const named = JSON.stringify({ local_testimonials: String(fourth) })
  await db
    .updateTable('content_entries')
    .set((row) => ({
      is_generated: 0,
      data_json: row.fn('json_patch', ['data_json', row.val(named)]),
    }))
    .where('slug', '=', 'ac-repair/austin')
    .execute()
  await publish()
  assert.deepEqual(await edit(fourth, { title: 'Prompt' }), ['changes', 3, all - 3])
  // Of another service, it may be shown elsewhere.
  assert.equal((await edit(fourth, { data_json: '{}' }))[0], 'shared_content')
})

test('an edit that other pages show compares all of them', async (t) => {
  const { db, publish, places, service } = await aPublishedSite(t)
  await publish()
  const scopes: string[] = []
  const setData = (data: object) =>
    db
      .updateTable('content_entries')
      .set({ data_json: JSON.stringify(data) })
      .where('id', '=', service.id)
      .execute()
  const edits = [
    () => addEntry(db, 'testimonials', { slug: 'good', title: 'Good', body: 'They came.' }),
    () => db.updateTable('content_entries').set({ title: 'Cooling' }).where('id', '=', service.id).execute(),
    () => setData({ position: 2 }),
    () => setData({ position: 2, icon: 'fan' }),
    () => db.updateTable('taxonomy_terms').set({ name: 'Big D' }).where('slug', '=', 'dallas').execute(),
    () => offer(db, service, { slug: 'texas', id: places.get('texas') as number }),
  ]
  for (const edit of edits) {
    await edit()
    scopes.push((await publish()).scope)
  }
  assert.deepEqual(
    scopes,
    edits.map(() => 'shared_content'),
  )
})

test('only the rows after a position are read, however long the log is', async (t) => {
  const db = await openTestDatabase(t)
  const position = await findLogEnd(db)
  const plans = await plansOf(db, async () => {
    await listChangesAfter(db, position, { limit: 10 })
    await listLoggedAfter(db, position, { limit: 10 })
  })
  const reads = plans.flat().filter((step) => / content_changes\b/.test(step))
  assert.ok(reads.length >= 3)
  for (const step of reads) assert.match(step, /SEARCH content_changes USING INTEGER PRIMARY KEY/)
})
