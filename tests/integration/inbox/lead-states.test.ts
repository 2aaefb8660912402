import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import type { Schema } from '#src/db/schema.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { findMatchesBeside, findPlacesBeside } from '#src/submissions/inbox/beside-store.ts'
import { changeMatching, changeSelected, countMatching } from '#src/submissions/inbox/change-matching.ts'
import { findEarlierLeads } from '#src/submissions/inbox/earlier-leads.ts'
import { exportCsv, exportJson } from '#src/submissions/inbox/export-submissions.ts'
import { listInbox } from '#src/submissions/inbox/list-inbox.ts'
import { deleteNote, insertNote, listNotes, listNotesOf } from '#src/submissions/inbox/note-store.ts'
import {
  listAssigneeEmails,
  listWorkable,
  updateAssignees,
  updateProgress,
  updateStages,
} from '#src/submissions/inbox/progress-store.ts'
import {
  deleteSavedFilter,
  insertSavedFilter,
  listSavedFilters,
  updateSavedFilter,
} from '#src/submissions/inbox/saved-filter-store.ts'
import { showSubmission } from '#src/submissions/inbox/show-submission.ts'
import { deleteSelected } from '#src/submissions/inbox/sort-submissions.ts'
import { countSubmissionsByDay } from '#src/submissions/inbox/submission-count-store.ts'
import { findUnsentMails } from '#src/submissions/inbox/unsent-mails.ts'
import { createSearchIndex } from '#src/submissions/search/search-index.ts'
import { findSubmission } from '#src/submissions/submission-store.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'

const AT = '2026-11-20T10:00:00.000Z'
const NOW = new Date(AT)
const IN_INBOX = { scope: EVERY_LEAD, statuses: ['new'] as const }

async function addLead(db: Kysely<Schema>, row: Record<string, unknown> = {}): Promise<number> {
  const { id } = await db
    .insertInto('form_submissions')
    .values({ form_id: null, data_json: '{}', submitted_at: AT, ...row })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function addUser(db: Kysely<Schema>, name: string | null) {
  const email = `user-${name}@example.com`
  const { id } = await db
    .insertInto('admin_users')
    .values({ email, name })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, email }
}

const indexed = (db: Kysely<Schema>) =>
  createSearchIndex({ db, log: { error: () => assert.fail() } }).catchUp(1_000)

test('opening a lead marks it as read if it is new and the reader may change leads', async (t) => {
  const db = await openTestDatabase(t)
  const show = async (id: number, marksRead: boolean) =>
    (await showSubmission(db, id, { scope: EVERY_LEAD, marksRead }))?.submission.status
  const statusOf = async (id: number) =>
    (await db.selectFrom('form_submissions').select('status').where('id', '=', id).executeTakeFirst())?.status
  const added = await addLead(db)
  assert.deepEqual([await show(added, false), await statusOf(added)], ['new', 'new'])
  assert.deepEqual([await show(added, true), await statusOf(added)], ['read', 'read'])
  for (const status of ['archived', 'spam']) {
    const id = await addLead(db, { status })
    assert.deepEqual([await show(id, true), await statusOf(id)], [status, status])
  }
  assert.equal(await show(99, true), undefined)
  const hidden = { scope: { places: [1], forms: null }, marksRead: true }
  assert.equal(await showSubmission(db, await addLead(db), hidden), undefined)
})

test('a lead whose form was deleted is shown and exported with the names of its answers', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { fields: [{ name: 'size', label: 'Your size' }] })
  const data_json = JSON.stringify({ size: 'L' })
  const ofForm = await addLead(db, { form_id: form.id, data_json })
  const withForm = await showSubmission(db, ofForm, { scope: EVERY_LEAD, marksRead: false })
  assert.deepEqual([withForm?.form?.slug, withForm?.answers[0]?.label], ['quote', 'Your size'])
  const id = await addLead(db, { data_json })
  const shown = await showSubmission(db, id, { scope: EVERY_LEAD, marksRead: false })
  assert.equal(shown?.form, undefined)
  assert.deepEqual(
    shown?.answers.map(({ label, text }) => `${label}: ${text}`),
    ['size: L'],
  )
  const rows = JSON.parse((await Array.fromAsync(exportJson(db, IN_INBOX))).join('')) as object[]
  assert.deepEqual(
    rows.map((row) => ('form' in row && 'labelled' in row ? [row.form, row.labelled] : [])),
    [
      [null, [{ name: 'size', label: 'size', text: 'L' }]],
      ['quote', [{ name: 'size', label: 'Your size', text: 'L' }]],
    ],
  )
})

test('notes have the name of their author, or the address, and end with the lead’s scope', async (t) => {
  const db = await openTestDatabase(t)
  const [ada, ghost] = [await addUser(db, 'Ada'), await addUser(db, null)]
  const [lead, other] = [await addLead(db), await addLead(db)]
  await insertNote(db, lead, { author: ada, body: 'One' }, { now: NOW })
  await insertNote(db, other, { author: ada, body: 'Other' }, { now: NOW })
  await insertNote(db, lead, { author: ghost, body: 'Two' }, { now: NOW })
  const notes = await listNotes(db, lead, EVERY_LEAD)
  assert.deepEqual(
    notes.map(({ author, body, createdAt }) => [author, body, createdAt]),
    [
      ['Ada', 'One', AT],
      ['user-null@example.com', 'Two', AT],
    ],
  )
  const byLead = await listNotesOf(db, [lead, other])
  assert.deepEqual([byLead.get(lead), byLead.get(other)], [['One', 'Two'], ['Other']])
  assert.equal((await listNotesOf(db, [])).size, 0)
  const outside = { places: [1], forms: null }
  assert.deepEqual(await listNotes(db, lead, outside), [])
  const first = notes[0]?.id ?? 0
  assert.equal(await deleteNote(db, first, { submissionId: lead, scope: outside }), false)
  assert.equal(await deleteNote(db, first, { submissionId: other, scope: EVERY_LEAD }), false)
  assert.equal(await deleteNote(db, first, { submissionId: lead, scope: EVERY_LEAD }), true)
  assert.equal((await listNotes(db, lead, EVERY_LEAD)).length, 1)
})

test('a saved filter is the author’s, or shared', async (t) => {
  const db = await openTestDatabase(t)
  const [ada, bob] = [await addUser(db, 'Ada'), await addUser(db, 'Bob')]
  await insertSavedFilter(db, ada.id, { name: 'Own', isShared: false, parameters: { status: 'new' } })
  await insertSavedFilter(db, ada.id, { name: 'Shared', isShared: true, parameters: {} })
  const listed = async (id: number) =>
    (await listSavedFilters(db, id)).map(({ name, isShared, isOwn, parameters }) => ({
      ...{ name, isShared, isOwn, parameters },
    }))
  assert.deepEqual(await listed(ada.id), [
    { name: 'Own', isShared: false, isOwn: true, parameters: { status: 'new' } },
    { name: 'Shared', isShared: true, isOwn: true, parameters: {} },
  ])
  assert.deepEqual(await listed(bob.id), [{ name: 'Shared', isShared: true, isOwn: false, parameters: {} }])
  const [own, shared] = await listSavedFilters(db, ada.id)
  await updateSavedFilter(db, shared?.id ?? 0, { name: 'Renamed', isShared: true })
  await db.updateTable('saved_filters').set({ filter_json: '{' }).execute()
  assert.deepEqual(await listed(bob.id), [{ name: 'Renamed', isShared: true, isOwn: false, parameters: {} }])
  await updateSavedFilter(db, shared?.id ?? 0, { name: 'Renamed', isShared: false })
  assert.deepEqual(await listed(bob.id), [])
  await deleteSavedFilter(db, own?.id ?? 0)
  assert.deepEqual(
    (await listed(ada.id)).map(({ name }) => name),
    ['Renamed'],
  )
})

test('all leads that a search finds are counted and deleted, and leave the write-ahead log', async (t) => {
  const db = await openTestDatabase(t)
  for (let lead = 0; lead < 60; lead += 1)
    await addLead(db, {
      data_json: '{"name":"Ann"}',
      submitted_at: `2026-11-20T10:${10 + (lead % 50)}:00.000Z`,
    })
  const other = await addLead(db, { data_json: '{"name":"Bob"}' })
  await indexed(db)
  const filter = { ...IN_INBOX, search: 'ann' }
  assert.deepEqual(await countMatching(db, filter), {
    count: 60,
    upTo: 60,
    since: '2026-11-20T10:10:00.000Z',
  })
  assert.deepEqual(await countMatching(db, { ...filter, search: 'eve' }), {
    count: 0,
    upTo: 0,
    since: undefined,
  })
  const files = openDiskFiles(temporaryFolder(t))
  const options = { files, siteUrl: 'https://www.example.com', sendsMail: false, now: NOW }
  const [{ file }] = (await sql<{ file: string }>`pragma database_list`.execute(db)).rows as [
    { file: string },
  ]
  assert.equal((await changeMatching(db, filter, { kind: 'delete' }, { ...options, upTo: 58 })).count, 58)
  assert.equal(statSync(`${file}-wal`).size, 0)
  const left = await db.selectFrom('form_submissions').select('id').orderBy('id').execute()
  assert.deepEqual(
    left.map(({ id }) => id),
    [59, 60, other],
  )
  const chosen = [59, 60, other, 99]
  const stage = { slug: 'quoted', name: 'Quoted', counts_as: 'open' } as never
  const changed = await changeSelected(
    db,
    chosen,
    { kind: 'stage', stage },
    { ...options, scope: EVERY_LEAD },
  )
  assert.deepEqual([changed.count, changed.ids], [3, [59, 60, other]])
})

test('the stage and the assignee of a lead change once, within the scope, and not for spam', async (t) => {
  const db = await openTestDatabase(t)
  const { id: assigneeId } = await addUser(db, 'Ada')
  const [lead, spam] = [await addLead(db), await addLead(db, { status: 'spam' })]
  const stage = { slug: 'sold', name: 'Sold', counts_as: 'won' } as never
  const change = (scope = EVERY_LEAD, to: number | null = assigneeId) =>
    updateProgress(db, lead, { stage, assigneeId: to, scope })
  assert.equal(await change({ places: [1], forms: null }), false)
  assert.deepEqual([await change(), await change(), await change(EVERY_LEAD, null)], [true, false, true])
  const row = await db.selectFrom('form_submissions').selectAll().where('id', '=', lead).executeTakeFirst()
  assert.deepEqual([row?.stage, row?.is_won, row?.assignee_id], ['sold', 1, null])
  assert.deepEqual(await listWorkable(db, [spam, lead, 99], EVERY_LEAD), [lead])
  assert.deepEqual(await listWorkable(db, [], EVERY_LEAD), [])
  assert.equal(await updateStages(db, [], { stage, scope: EVERY_LEAD }), 0)
  const quoted = { slug: 'quoted', name: 'Quoted', counts_as: 'open' } as never
  const isWonAs = async (to: never) => {
    const changed = await updateStages(db, [lead, spam], { stage: to, scope: EVERY_LEAD })
    const { is_won } = await db
      .selectFrom('form_submissions')
      .select('is_won')
      .where('id', '=', lead)
      .executeTakeFirstOrThrow()
    return [changed, is_won]
  }
  assert.deepEqual(
    [await isWonAs(quoted), await isWonAs(stage), await isWonAs(stage)],
    [
      ...[
        [2, 0],
        [2, 1],
        [0, 1],
      ],
    ],
  )
  assert.equal(await updateProgress(db, lead, { stage: quoted, assigneeId: null, scope: EVERY_LEAD }), true)
  const { is_won } = await db
    .selectFrom('form_submissions')
    .select('is_won')
    .where('id', '=', lead)
    .executeTakeFirstOrThrow()
  assert.equal(is_won, 0)
  const nowhere = { places: [1], forms: null }
  const assign = (ids: number[], to: number | null, scope = EVERY_LEAD, within = EVERY_LEAD) =>
    updateAssignees(db, ids, { assigneeId: to, scope, within })
  assert.deepEqual([await assign([lead], assigneeId), await assign([lead], assigneeId)], [1, 0])
  assert.deepEqual(
    [await assign([lead], null, nowhere), await assign([lead], null, EVERY_LEAD, nowhere)],
    [0, 0],
  )
  assert.deepEqual([await assign([], null), await assign([lead, spam], null)], [0, 1])
  assert.deepEqual([...(await listAssigneeEmails(db))], [[assigneeId, 'user-Ada@example.com']])
})

test('only an answer that is an address or a number has earlier leads', async (t) => {
  const db = await openTestDatabase(t)
  const answers = { email: 'nobody', phone: '12', name: 'ann@example.com' }
  await addLead(db, { data_json: JSON.stringify(answers) })
  const id = await addLead(db, { data_json: JSON.stringify(answers) })
  await indexed(db)
  const shown = await showSubmission(db, id, { scope: EVERY_LEAD, marksRead: false })
  assert.ok(shown)
  const found = await findEarlierLeads(db, shown, { scope: EVERY_LEAD, country: 'IE' })
  assert.deepEqual(found, { leads: [], contacts: [] })
})

test('the leads beside one are found without a status, and among many places', async (t) => {
  const db = await openTestDatabase(t)
  const ids: number[] = []
  for (const location_id of [1, 1, 2, 30, 1, 1])
    ids.push(await addLead(db, { location_id, data_json: '{"a":"ann"}' }))
  await indexed(db)
  const [, first, second, , last] = ids
  const none = { newer: undefined, older: undefined }
  const place = { id: second ?? 0, submittedAt: AT }
  assert.deepEqual(await findPlacesBeside(db, { scope: EVERY_LEAD, statuses: [] }, place), none)
  const scope = { places: [1], forms: null }
  const words = [{ word: 'ann', isPrefix: false, marks: [] }]
  const many = Array.from({ length: 21 }, (_, index) => `xplace${index}`)
  const beside = (places: readonly string[]) =>
    findMatchesBeside(db, { ...IN_INBOX, scope }, { id: second ?? 0, words, places })
  assert.deepEqual(await beside(many), { newer: last, older: first })
  assert.deepEqual(await beside(many.slice(1)), none)
})

test('leads are counted by day, form, and whether they are spam, between two IDs', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote')
  for (const row of [
    { form_id: form.id },
    { form_id: form.id, status: 'spam' },
    { form_id: form.id, submitted_at: '2026-11-21T00:00:00.000Z' },
    {},
    { form_id: form.id, status: 'archived' },
  ])
    await addLead(db, row)
  const count = async (range: { afterId: number; upToId?: number }) =>
    (await countSubmissionsByDay(db, range))
      .map(({ day, formId, isSpam, count }) => `${day} ${formId} ${isSpam} ${count}`)
      .sort()
  const [gone, next] = ['2026-11-20 0 false 1', `2026-11-21 ${form.id} false 1`]
  const spam = `2026-11-20 ${form.id} true 1`
  assert.deepEqual(await count({ afterId: 0 }), [gone, `2026-11-20 ${form.id} false 2`, spam, next])
  assert.deepEqual(await count({ afterId: 1, upToId: 4 }), [gone, spam, next])
})

test('chosen leads are deleted within the scope, with their files', async (t) => {
  const db = await openTestDatabase(t)
  const folderOfFiles = temporaryFolder(t)
  const files = openDiskFiles(folderOfFiles)
  const [near, far] = [await addLead(db, { location_id: 1 }), await addLead(db)]
  const upload = { folder: 'a'.repeat(32), file: '1', name: 'a.txt', size: 1, type: 'text/plain' }
  const keyOf = (folder: string) => `uploads/${folder}/1`
  for (const [submission_id, folder] of [
    [near, 'a'.repeat(32)],
    [far, 'b'.repeat(32)],
  ] as const) {
    await files.write(keyOf(folder), new Blob(['x']))
    await db
      .insertInto('uploads')
      .values({ ...upload, folder, submission_id, field_name: 'a', created_at: AT })
      .execute()
  }
  await deleteSelected(db, [near, far, 99], { files, scope: { places: [1], forms: null } })
  const left = await db.selectFrom('form_submissions').select('id').execute()
  assert.deepEqual(left, [{ id: far }])
  const kept = ['a', 'b'].map((letter) => existsSync(join(folderOfFiles, keyOf(letter.repeat(32)))))
  assert.deepEqual(kept, [false, true])
})

test('the leads beside one are the nearest by time, then by ID, of any status asked for', async (t) => {
  const db = await openTestDatabase(t)
  const at = (minute: number) => `2026-11-20T10:0${minute}:00.000Z`
  const rows = [
    { submitted_at: at(3) },
    { submitted_at: at(1), status: 'read' },
    { submitted_at: at(2) },
    { submitted_at: at(2), status: 'read' },
    { submitted_at: at(2) },
    { submitted_at: at(4), status: 'archived' },
  ]
  const ids: number[] = []
  for (const row of rows) ids.push(await addLead(db, row))
  const filter = { scope: EVERY_LEAD, statuses: ['new', 'read'] as const }
  const listed = await listInbox(db, filter)
  const order = [1, 5, 4, 3, 2]
  assert.deepEqual(
    listed.submissions.map(({ id }) => id),
    order,
  )
  for (const [index, id] of order.entries()) {
    const submittedAt = rows[id - 1]?.submitted_at ?? ''
    assert.deepEqual(await findPlacesBeside(db, filter, { id, submittedAt }), {
      newer: order[index - 1],
      older: order[index + 1],
    })
  }
  assert.deepEqual((await listInbox(db, { scope: EVERY_LEAD, statuses: [] })).submissions, [])
})

test('an exported answer has the label of its own field', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', {
    fields: [
      { name: 'kind', label: 'Kind', type: 'select', options: ['Repair/a', 'New/b'] },
      { name: 'size', label: 'Size', type: 'select', options: ['Large/a', 'Small/b'] },
    ],
  })
  await addLead(db, { form_id: form.id, data_json: '{"kind":"a","size":"b"}' })
  const [, row = ''] = (await Array.fromAsync(exportCsv(db, IN_INBOX))).join('').split('\r\n')
  assert.match(row, /,Repair,Small,/)
})

test('a lead has the wording that its visitor agreed to, if it was stored', async (t) => {
  const db = await openTestDatabase(t)
  const consentsOf = async (consents_json: string | null) =>
    (await findSubmission(db, await addLead(db, { consents_json }), EVERY_LEAD))?.consents
  assert.deepEqual(await consentsOf('{"agree":"I agree"}'), { agree: 'I agree' })
  assert.deepEqual([await consentsOf(null), await consentsOf('{')], [{}, {}])
})

test('the emails that a lead never got are told, unless it is spam', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', {
    fields: [{ name: 'email', label: 'Email', type: 'email' }],
    settings: { notification_email: 'office@example.com', reply: { subject: 'Thanks', text: 'Hello' } },
  })
  const silent = await storeForm(db, 'silent', {
    fields: [{ name: 'email', label: 'Email', type: 'email' }],
  })
  const unsent = async (has: { hasMails?: boolean; hasReply?: boolean }, row: object = {}, of = form) => {
    const id = await addLead(db, { form_id: of.id, data_json: '{"email":"ann@example.com"}', ...row })
    const submission = await findSubmission(db, id, EVERY_LEAD)
    assert.ok(submission)
    const lead = { submission, form: of, fields: of.fields, hasMails: false, hasReply: false, ...has }
    return findUnsentMails(db, lead, { siteUrl: 'https://www.example.com' })
  }
  assert.deepEqual(await unsent({}), { notification: true, reply: true })
  assert.deepEqual(await unsent({ hasMails: true }), { notification: false, reply: true })
  assert.deepEqual(await unsent({ hasReply: true }), { notification: true, reply: false })
  assert.equal(await unsent({ hasMails: true, hasReply: true }), undefined)
  assert.deepEqual(await unsent({}, { data_json: '{}' }), { notification: true, reply: false })
  assert.equal(await unsent({}, { status: 'spam' }), undefined)
  assert.equal(await unsent({}, {}, silent), undefined)
})
