import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import type { Schema } from '#src/db/schema.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import {
  type BulkChange,
  changeMatching,
  countMatching,
  MOST_AT_ONCE,
} from '#src/submissions/inbox/change-matching.ts'
import type { InboxFilter } from '#src/submissions/inbox/inbox-filter.ts'
import { createSearchIndex } from '#src/submissions/search/search-index.ts'
import { startAdmin } from '../../support/admin.ts'
import { sqliteEngine, temporaryFolder } from '../../support/database.ts'
import { type Page, readAnswer } from '../../support/pages/read-page.ts'
import { newestChanges } from '../../support/pages/told.ts'
import { addPerson } from '../../support/people.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { addPlaces } from '../../support/small-site.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const WON = { slug: 'won', name: 'Won', counts_as: 'won' } as const
const INBOX: InboxFilter = { scope: EVERY_LEAD, statuses: ['new', 'read'] }

/** Adds so many leads of a place, each a second after the one before. */
async function addLeads(db: Kysely<Schema>, count: number, place: number | null = null, name = 'Ann') {
  const rows = Array.from({ length: count }, (_, n) => ({
    ...{ form_id: 1, status: 'new' as const, data_json: JSON.stringify({ full_name: name }) },
    location_id: place,
    submitted_at: new Date(NOW.getTime() - n * 1_000).toISOString(),
  }))
  for (let start = 0; start < count; start += 500)
    await db
      .insertInto('form_submissions')
      .values(rows.slice(start, start + 500))
      .execute()
}

/** How many leads there are, by a column. */
async function countBy(db: Kysely<Schema>, column: 'status' | 'stage' | 'assignee_id') {
  const rows = await db
    .selectFrom('form_submissions')
    .select([`${column} as value`, ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy(column)
    .execute()
  return Object.fromEntries(rows.map(({ value, count }) => [String(value), Number(count)]))
}

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: all matching leads are changed and no others`, async (t) => {
    const db = await engine.openMigrated()
    const files = openDiskFiles(temporaryFolder(t))
    const run = async (filter: InboxFilter, change: BulkChange, upTo?: number) =>
      (
        await changeMatching(db, filter, change, {
          upTo: upTo ?? (await countMatching(db, filter)).upTo,
          ...{ files, siteUrl: 'https://www.example.com', sendsMail: false, now: NOW },
        })
      ).count
    const places = await addPlaces(db, 'ennis', 'kerry')
    const [ennisId = 0, kerryId = 0] = [...places.values()]
    await addLeads(db, 250, ennisId)
    await addLeads(db, 30, kerryId, 'Bob')
    const ennis: InboxFilter = { ...INBOX, scope: { places: [ennisId], forms: null } }
    const matching = await countMatching(db, ennis)
    assert.equal(matching.count, 250)
    assert.equal(matching.since, new Date(NOW.getTime() - 249_000).toISOString())

    await addLeads(db, 3, ennisId)
    assert.equal(await run(ennis, { kind: 'stage', stage: WON }, matching.upTo), 250)
    assert.deepEqual(await countBy(db, 'stage'), { new: 33, won: 250 })
    assert.equal(await run(INBOX, { kind: 'stage', stage: WON }), 33, 'only those with another stage')

    const [user] = await db
      .insertInto('admin_users')
      .values({ email: 'kerry@example.com' })
      .returning('id')
      .execute()
    const limits = { places: [kerryId], forms: null }
    const assigneeId = user?.id as number
    assert.equal(await run(INBOX, { kind: 'assign', assigneeId, limits }), 30)
    assert.deepEqual(await countBy(db, 'assignee_id'), { null: 253, [assigneeId]: 30 })

    const index = createSearchIndex({ db, log: { error: () => assert.fail() } })
    await index.catchUp(1_000)
    const bobs = { ...INBOX, search: 'bob' }
    assert.equal((await countMatching(db, bobs)).count, 30)
    assert.equal(await run(bobs, { kind: 'sort', sorting: 'spam' }), 30)
    assert.equal(await run(INBOX, { kind: 'sort', sorting: 'archive' }), 253)
    assert.deepEqual(await countBy(db, 'status'), { archived: 253, spam: 30 })
    const [one] = await db
      .selectFrom('form_submissions')
      .select('id')
      .where('status', '=', 'archived')
      .limit(1)
      .execute()
    const upload = { folder: 'a'.repeat(32), file: '1', name: 'a.txt', size: 1, type: 'text/plain' }
    const key = `uploads/${upload.folder}/${upload.file}`
    await files.write(key, new Blob(['x']))
    await db
      .insertInto('uploads')
      .values({
        ...upload,
        submission_id: one?.id as number,
        field_name: 'notes',
        created_at: NOW.toISOString(),
      })
      .execute()
    assert.equal(await run({ ...INBOX, statuses: ['archived'] }, { kind: 'delete' }), 253)
    assert.deepEqual(await countBy(db, 'status'), { spam: 30 })
    assert.equal(await files.open(key), undefined)
  })
}

test('more than 10,000 leads can’t be changed at once', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  await addLeads(db, MOST_AT_ONCE + 5)
  const refused = await site.fetch('/admin/inbox/bulk?status=new')
  assert.equal(refused.headers.get('location'), '/admin/inbox?status=new')
  const action = { action: 'archive', up_to: '999999' }
  assert.equal((await site.post('/admin/inbox/bulk?status=new', action)).status, 303)
  assert.deepEqual(await countBy(db, 'status'), { archived: MOST_AT_ONCE, new: 5 })
})

test('a bulk change is chosen, confirmed with its number, and logged once', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  await addLeads(db, 60)
  const list = await site.open('/admin/inbox?form=waitlist')
  const address = String(list.getByRole('link', { name: 'Select all matching leads…' }).getAttribute('href'))
  assert.equal(address, '/admin/inbox/bulk?form=waitlist')
  const choice = await site.open(address)
  choice.getByText('60 leads match these filters:')
  assert.deepEqual(filterOf(choice), ['Lead status', 'Inbox', 'Form', 'Waitlist'])
  assert.equal((await site.post(address, { action: 'nothing' })).status, 422)
  const question = await readAnswer(await site.post(address, { action: 'stage.quoted' }))
  question.getByRole('heading', { name: 'Move 60 leads to Quoted?' })
  assert.deepEqual(filterOf(question), ['Lead status', 'Inbox', 'Form', 'Waitlist'])
  assert.deepEqual(await countBy(db, 'stage'), { new: 60 }, 'the question changes nothing')
  const button = question.getByRole('button', { name: 'Change stage to Quoted' })
  const upTo = button.closest('form')?.querySelector('[name="up_to"]')?.getAttribute('value') ?? ''
  await addLeads(db, 1)
  const done = await site.post(address, { action: 'stage.quoted', up_to: upTo })
  assert.equal(done.headers.get('location'), '/admin/inbox?form=waitlist')
  assert.deepEqual(await countBy(db, 'stage'), { new: 1, quoted: 60 })
  assert.deepEqual(await newestChanges(site), ['60 leads moved to Quoted.'])
})

test('a bulk change of the stage or assignee counts and changes no spam', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  await addLeads(db, 2)
  await db.updateTable('form_submissions').set({ status: 'spam' }).where('id', '=', 2).execute()
  const address = '/admin/inbox/bulk?status=all'
  for (const action of ['stage.won', `assignee.${site.administratorId}`]) {
    const question = await readAnswer(await site.post(address, { action }))
    assert.match(question.getByRole('heading', { level: 1 }).textContent ?? '', / 1 lead /)
    question.getByText('Spam won’t be changed.')
    await site.post(address, { action, up_to: '2' })
  }
  assert.deepEqual(await countBy(db, 'stage'), { new: 1, won: 1 })
  assert.deepEqual(await countBy(db, 'assignee_id'), { null: 1, [site.administratorId]: 1 })
  assert.deepEqual((await newestChanges(site)).slice(0, 1), ['1 lead assigned to Ann Example.'])
  const deletion = await readAnswer(await site.post(address, { action: 'delete' }))
  assert.match(deletion.getByRole('heading', { level: 1 }).textContent ?? '', / 2 leads/)
})

test('the question of a bulk change names every filter that applies, in words', async (t) => {
  const site = await startAdmin(t)
  await addLeads(site.app.db, 1)
  await site.app.db
    .updateTable('form_submissions')
    .set({ source: 'ads:google', assignee_id: site.administratorId, stage: 'quoted' })
    .execute()
  const applied = {
    status: 'all',
    stage: 'quoted',
    assignee: String(site.administratorId),
    source: 'ads:google',
  }
  const ignored = { until: 'tomorrow', page: 'x' }
  const query = new URLSearchParams({ ...applied, from: '2020-01-01', ...ignored })
  assert.deepEqual(filterOf(await site.open(`/admin/inbox/bulk?${query}`)), [
    ...['Lead status', 'All', 'Stage', 'Quoted', 'Assigned to', 'Ann Example', 'Source', 'Google Ads'],
    ...['From', '2020-01-01'],
  ])
})

// The labels and values of the filters.
function filterOf(page: Pick<Page, 'element'>): string[] {
  const parts = [...page.element.querySelectorAll('dl :is(dt, dd)')]
  return parts.map(({ textContent }) => textContent?.trim() ?? '')
}

test('a bulk change respects the user’s limits and role', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const places = await addPlaces(db, 'ennis', 'kerry')
  await addLeads(db, 3, places.get('ennis'))
  await addLeads(db, 4, places.get('kerry'))
  const limits = { places: [places.get('ennis') as number] }
  const office = await addPerson(site, 'office', limits)
  const page = await readAnswer(await office.fetch('/admin/inbox/bulk?status=all'))
  page.getByText('3 leads match these filters:')
  const { options } = page.getByRole<HTMLSelectElement>('combobox', { name: 'Action' })
  const named = [...options].map(({ text }) => text.trim())
  assert.ok(named.includes(`Assign to ${office.email}`), named.join())
  assert.ok(named.includes('Remove assignee'), named.join())
  assert.equal(named.filter((name) => name.startsWith('Assign to')).length, 1, named.join())
  const all = { action: 'delete', up_to: '9999' }
  assert.equal((await office.post('/admin/inbox/bulk?status=all', all)).status, 422)
  await office.post('/admin/inbox/bulk?status=all', { ...all, action: 'archive' })
  assert.deepEqual(await countBy(db, 'status'), { archived: 3, new: 4 })
  const viewer = await addPerson(site, 'viewer')
  assert.equal((await viewer.post('/admin/inbox/bulk?status=all', { ...all, action: 'archive' })).status, 403)
  const manager = await addPerson(site, 'manager', limits)
  await manager.post('/admin/inbox/bulk?status=all', all)
  assert.deepEqual(await countBy(db, 'status'), { new: 4 })
})

test('the log of marking leads names only those that changed, none outside the user’s limits', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const places = await addPlaces(db, 'ennis', 'kerry')
  await addLeads(db, 2, places.get('ennis'))
  await addLeads(db, 1, places.get('kerry'))
  const office = await addPerson(site, 'office', { places: [places.get('ennis') as number] })
  for (const [sorting, ids, logged] of [
    ['spam', ['2', '3'], '2'],
    ['not_spam', ['1', '2', '3'], '2'],
    ['archive', ['1', '3', '999'], '1'],
  ] as const) {
    await office.post('/admin/inbox/sorting', { sorting, ids })
    const change = await db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').executeTakeFirst()
    assert.deepEqual([change?.action, change?.subject_id], [`submission.${sorting}`, logged])
  }
  const { count } = await db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  await office.post('/admin/inbox/sorting', { sorting: 'archive', ids: ['3'] })
  const after = await db.selectFrom('audit_log').select('id').execute()
  assert.equal(after.length, Number(count), 'no change is not logged')
})

test('the stage and the assignee of selected leads change without JavaScript, logged once', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const places = await addPlaces(db, 'ennis', 'kerry')
  await addLeads(db, 2, places.get('ennis'))
  await addLeads(db, 1, places.get('kerry'))
  const office = await addPerson(site, 'office', { places: [places.get('ennis') as number] })
  const invited = await addPerson(site, 'office')
  await db.updateTable('admin_users').set({ password_hash: null }).where('id', '=', invited.id).execute()

  const list = await site.open('/admin/inbox')
  const choice = list.getByRole<HTMLSelectElement>('combobox', { name: 'Change selected leads' })
  const named = [...choice.options].map(({ text }) => text.trim())
  assert.ok(
    named.includes('Change stage to Quoted') && named.includes(`Assign to ${office.email}`),
    named.join(),
  )
  assert.ok(!named.some((name) => name.includes(invited.email)), 'an open invitation is no assignee')
  const lead = await site.open('/admin/inbox/1')
  const { options } = lead.getByRole<HTMLSelectElement>('combobox', { name: 'Assigned to' })
  assert.ok(![...options].some(({ text }) => text.includes(invited.email)))
  assert.equal(
    list.getByRole('button', { name: 'Apply' }).getAttribute('formaction'),
    '/admin/inbox/progress',
  )

  const ids = ['1', '2', '3']
  const next = '/admin/inbox?stage=new'
  const done = await site.post('/admin/inbox/progress', { ids, next, progress: 'stage.quoted' })
  assert.equal(done.headers.get('location'), next)
  assert.deepEqual(await countBy(db, 'stage'), { quoted: 3 })
  assert.deepEqual(await newestChanges(site), ['3 leads moved to Quoted.'])
  const progress = `assignee.${office.id}`
  await site.post('/admin/inbox/progress', { ids, progress })
  assert.deepEqual(await countBy(db, 'assignee_id'), { [office.id]: 2, null: 1 }, 'only leads of their place')
  for (const wrong of ['', 'stage.sold', `assignee.${invited.id}`])
    await site.post('/admin/inbox/progress', { ids, progress: wrong })
  await office.post('/admin/inbox/progress', { ids, progress: 'stage.won' })
  assert.deepEqual(await countBy(db, 'stage'), { quoted: 1, won: 2 }, 'and nothing outside their limits')
  const { subject_id: logged } = await db
    .selectFrom('audit_log')
    .select('subject_id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.equal(logged, '1,2', 'the log names those within the limits')
  await db.updateTable('form_submissions').set({ status: 'spam' }).where('id', '=', 3).execute()
  await site.post('/admin/inbox/progress', { ids, progress: 'stage.lost' })
  assert.deepEqual(await countBy(db, 'stage'), { lost: 2, quoted: 1 }, 'spam has no stage')
  const viewer = await addPerson(site, 'viewer')
  assert.equal((await viewer.post('/admin/inbox/progress', { ids, progress: 'stage.lost' })).status, 403)

  await db.updateTable('form_submissions').set({ assignee_id: invited.id }).where('id', '=', 1).execute()
  assert.equal(
    (await site.open('/admin/inbox/1')).valueOf('Assigned to'),
    String(invited.id),
    'but one who is stays',
  )
})
