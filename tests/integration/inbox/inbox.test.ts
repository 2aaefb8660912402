import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import type { Schema } from '#src/db/schema.ts'
import { TOUCH_KEYS } from '#src/db/tables/submission-source.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import type { Answers } from '#src/forms/form.ts'
import { exportCsv, exportJson } from '#src/submissions/inbox/export-submissions.ts'
import { formatCursor, type InboxFilter, parseCursor } from '#src/submissions/inbox/inbox-filter.ts'
import { INBOX_PAGE, listInbox } from '#src/submissions/inbox/list-inbox.ts'
import { deleteSelected, sortSubmissions } from '#src/submissions/inbox/sort-submissions.ts'
import { summarize } from '#src/submissions/inbox/summarize.ts'
import { countUnread, countUnreadAndSpam, listInboxForms } from '#src/submissions/inbox/unread-store.ts'
import { createSearchIndex } from '#src/submissions/search/search-index.ts'
import { KIND_META_KEYS } from '#src/templates/meta.ts'
import { assertWithin } from '../../support/assert-within.ts'
import { openTestDatabase, sqliteEngine } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { watchLoop } from '../../support/longest-turn.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

const STATUSES = ['new', 'read'] as const
const OPTIONS = {
  siteUrl: 'https://www.example.com',
  sendsMail: false,
  now: new Date('2026-11-21T10:00:00.000Z'),
}

type Row = {
  answers?: Answers
  day?: number
  status?: 'new' | 'read' | 'archived' | 'spam'
  place?: string
  formId?: number
}

async function add(db: Kysely<Schema>, rows: readonly Row[]): Promise<number[]> {
  const values = rows.map(({ answers = {}, day = 1, status = 'new', place = null, formId = 1 }) => ({
    form_id: formId,
    status,
    data_json: JSON.stringify(answers),
    submitted_at: `2026-10-${String(day).padStart(2, '0')}T10:00:00.000Z`,
    location_path: place,
  }))
  const added = await db.insertInto('form_submissions').values(values).returning('id').execute()
  return added.map(({ id }) => id).sort((a, b) => a - b)
}

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  async function openDatabase() {
    const db = await engine.openMigrated()
    const index = createSearchIndex({ db, log: { error: (details) => assert.fail(String(details)) } })
    after(() => index.stop())
    const find = async (filter: Partial<InboxFilter> = {}, cursor?: string) => {
      await index.catchUp(5_000)
      return listInbox(
        db,
        { scope: EVERY_LEAD, statuses: STATUSES, ...filter },
        { cursor: parseCursor(cursor ?? null) },
      )
    }
    const ids = async (filter: Partial<InboxFilter>) => (await find(filter)).submissions.map(({ id }) => id)
    return { db, find, ids }
  }

  test(`${engine.name}: the inbox pages newest first, 50 each, in both directions, with and without a search`, async () => {
    const { db, find } = await openDatabase()
    const rows = Array.from({ length: 120 }, (_, i) => ({
      answers: { name: 'Ann' },
      day: 1 + Math.floor(i / 40),
      status: STATUSES[i % 2] ?? 'new',
    }))
    const all = (await add(db, rows)).reverse()
    for (const search of [undefined, 'ann']) {
      const first = await find({ search })
      assert.deepEqual(
        first.submissions.map(({ id }) => id),
        all.slice(0, INBOX_PAGE),
      )
      assert.equal(first.newer, undefined)
      const second = await find({ search }, first.older && formatCursor(first.older))
      assert.deepEqual(
        second.submissions.map(({ id }) => id),
        all.slice(50, 100),
      )
      const third = await find({ search }, second.older && formatCursor(second.older))
      assert.deepEqual(
        third.submissions.map(({ id }) => id),
        all.slice(100),
      )
      assert.equal(third.older, undefined)
      const back = await find({ search }, third.newer && formatCursor(third.newer))
      assert.deepEqual(
        back.submissions.map(({ id }) => id),
        all.slice(50, 100),
      )
    }
  })

  test(`${engine.name}: the inbox filters by form, state, day, place, and words`, async () => {
    const { db, ids } = await openDatabase()
    const form = await storeForm(db, 'quote')
    const [ann, bob, eve, zoe] = await add(db, [
      {
        answers: { name: 'Ann Müller', email: 'ann@example.com', phone: '+1 (512) 555-0100' },
        day: 1,
        place: 'usa/texas/austin',
      },
      {
        answers: { name: 'Bob', text: 'A <b>leak</b> in the kitchen', rooms: ['Bath room'] },
        day: 2,
        formId: form.id,
        place: 'usa/texas/san-antonio',
      },
      {
        answers: {
          name: 'Eve',
          file: { name: 'Blueprint.pdf', size: 1, type: 'application/pdf', upload_id: 1 },
        },
        day: 3,
        status: 'archived',
      },
      { answers: { name: 'Alexandra' }, day: 4, status: 'spam' },
    ])
    assert.deepEqual(await ids({}), [bob, ann])
    assert.deepEqual(await ids({ formId: form.id }), [bob])
    assert.deepEqual(await ids({ statuses: ['archived', 'spam'] }), [zoe, eve])
    const october = (day: number) => `2026-10-0${day}T00:00:00.000Z`
    assert.deepEqual(await ids({ from: october(2) }), [bob])
    assert.deepEqual(await ids({ until: october(2) }), [ann])
    assert.deepEqual(await ids({ location: 'texas' }), [bob, ann])
    assert.deepEqual(await ids({ location: 'san-antonio' }), [bob])
    assert.deepEqual(await ids({ location: 'san' }), [])
    assert.deepEqual(await ids({ location: 'texas', search: 'ann' }), [ann])
    for (const search of [
      'ann',
      'ANN',
      'muller',
      'Müller',
      'mül',
      'ann@example.com',
      '1 512 555 0100',
      '15125550100',
      '555-0100',
      '5550100',
    ]) {
      assert.deepEqual(await ids({ search }), [ann], search)
    }
    for (const search of ['leak', 'kitchen leak', 'bath'])
      assert.deepEqual(await ids({ search }), [bob], search)
    const everything = { statuses: ['new', 'read', 'archived', 'spam'] as const }
    assert.deepEqual(await ids({ ...everything, search: 'blueprint.pdf' }), [eve])
    assert.deepEqual(
      await ids({ ...everything, search: 'alexandr' }),
      [zoe],
      'a long beginning is found where nothing has the word',
    )
    for (const search of ['leak ann', 'ann) | (bob', 'NEAR(ann', 'ann:*&bob', 'x* OR y*']) {
      assert.deepEqual(await ids({ search }), [], search)
    }
    for (const search of ["'", '"', '\\', '*', '%'])
      assert.deepEqual(await ids({ search }), [bob, ann], search)
  })

  test(`${engine.name}: marking changes selected leads, spam stops pending work, and deleted leads aren’t found`, async () => {
    const { db, ids } = await openDatabase()
    const added = await add(db, [
      { answers: { name: 'Ann' } },
      { answers: { name: 'Ann' } },
      { answers: { name: 'Ann' }, status: 'spam' },
    ])
    const [first = 0, second = 0, third = 0] = added
    const sort = async (sorting: Parameters<typeof sortSubmissions>[2], some = added) =>
      (await sortSubmissions(db, some, sorting, { ...OPTIONS, scope: EVERY_LEAD })).ids
    assert.deepEqual(await sort('read'), [first, second])
    assert.deepEqual(await sort('unread', [first]), [first])
    assert.deepEqual(await countUnreadAndSpam(db, { scope: EVERY_LEAD, most: 10 }), { unread: 1, spam: 1 })
    assert.equal(
      (await listInboxForms(db, { scope: EVERY_LEAD, most: 10 })).find(({ slug }) => slug === 'waitlist')
        ?.unread,
      1,
    )
    assert.deepEqual(await sort('archive'), [first, second])
    assert.deepEqual(await sort('restore', [second]), [second])
    assert.deepEqual(await sort('spam', [first]), [first])
    assert.deepEqual(await sort('not_spam', [third]), [third])
    assert.deepEqual(await ids({ search: 'ann' }), [third, second])
    await deleteSelected(db, [second], { scope: EVERY_LEAD, files: openDiskFiles('/nowhere') })
    assert.deepEqual(await ids({ search: 'ann' }), [third])
    assert.deepEqual(await ids({}), [third])
  })

  test(`${engine.name}: a search with common words and rare filters ends early and says how far it looked`, async () => {
    const { db, find } = await openDatabase()
    await add(db, [{ answers: { name: 'Ann' }, day: 1 }])
    for (let part = 0; part < 6; part++) {
      await add(
        db,
        Array.from({ length: 500 }, () => ({
          answers: { name: 'Ann' },
          day: 2,
          status: 'archived' as const,
        })),
      )
    }
    const page = await find({ search: 'ann' })
    assert.deepEqual(page.submissions, [])
    assert.equal(page.lookedBackTo, '2026-10-02T10:00:00.000Z')
    const next = await find({ search: 'ann' }, page.older && formatCursor(page.older))
    assert.equal(next.submissions.length, 1)
    assert.equal(next.lookedBackTo, undefined)
  })

  test(`${engine.name}: counts stop at their limit`, async () => {
    const { db } = await openDatabase()
    await add(
      db,
      Array.from({ length: 30 }, () => ({})),
    )
    assert.equal(await countUnread(db, { scope: EVERY_LEAD, most: 20 }), 20)
    await db.updateTable('form_submissions').set({ status: 'spam' }).where('id', '<=', 10).execute()
    const count = (formId?: number, most = 100) => countUnreadAndSpam(db, { scope: EVERY_LEAD, formId, most })
    assert.deepEqual(await count(1), { unread: 20, spam: 10 })
    assert.deepEqual(await count(1, 5), { unread: 5, spam: 5 })
    assert.deepEqual(await count(999), { unread: 20, spam: 0 }, 'unread leads are those of all forms')
  })

  test(`${engine.name}: any answer stays in its CSV cell, under a unique column name`, async () => {
    const { db } = await openDatabase()
    const fields = ['text', 'code', 'depth', 'status', 'constructor'].map((name) => ({ name, label: name }))
    const form = await storeForm(db, 'quote', { fields })
    await add(db, [
      {
        formId: form.id,
        answers: { text: 'a\n=1+1', code: '\n=2', depth: -3.5, status: 'open; kept' },
      },
    ])
    const filter = { statuses: STATUSES, formId: form.id }
    const linesOf = async (layout?: { semicolons: boolean }) =>
      (await Array.fromAsync(exportCsv(db, { ...filter, scope: EVERY_LEAD }, layout))).join('').split('\r\n')
    const [header, row] = await linesOf()
    assert.match(
      String(header),
      /,status,page,service,location,local_time,text,code,depth,status \(status\),constructor,source,/,
    )
    assert.match(String(row), /,quote,,new,,,,[-\d]+ [:\d]+,"a\n=1\+1","'\n=2",-3.5,open; kept,,{26}New,,,,$/)
    const [first, second] = await linesOf({ semicolons: true })
    assert.match(String(first), /^\ufeffid;submitted_at;.*;depth;/)
    assert.match(String(second), /;-3,5;"open; kept";{27}New;;;;$/)
  })

  test(`${engine.name}: exports have each submission’s original labels and disambiguate equal ones`, async () => {
    const { db } = await openDatabase()
    const size = { name: 'size', label: 'Size', type: 'select' as const }
    const other = { name: 'other', label: 'Status' }
    const form = await storeForm(db, 'quote', { fields: [{ ...size, options: ['Small/s'] }, other] })
    const renamed = { ...size, label: 'Dimensions', options: ['Tiny/s'] }
    await storeForm(db, 'quote', { fields: [renamed, other, { ...other, name: 'more' }] })
    const answers = { size: 's', other: '1' }
    const ids = await add(
      db,
      [1, 2].map((day) => ({ formId: form.id, answers, day })),
    )
    for (const [index, id] of ids.entries()) {
      const row = { form_version: form.version + index }
      await db.updateTable('form_submissions').set(row).where('id', '=', id).execute()
    }
    const filter = { statuses: STATUSES, formId: form.id }
    const all = { ...filter, scope: EVERY_LEAD }
    const [header, newer, older] = (await Array.fromAsync(exportCsv(db, all))).join('').split('\r\n')
    assert.match(
      String(header),
      /,location,local_time,Dimensions \/ Size,Status \(other\),Status \(more\),source,/,
    )
    assert.match(String(newer), /,quote,2,new,,,,[-\d]+ [:\d]+,Tiny,1,,{26}New,,,,$/)
    assert.match(String(older), /,quote,1,new,,,,[-\d]+ [:\d]+,Small,1,,{26}New,,,,$/)
    const rows = JSON.parse((await Array.fromAsync(exportJson(db, all))).join(''))
    const status = { name: 'other', label: 'Status', text: '1' }
    assert.partialDeepStrictEqual(rows, [
      {
        ...{ form_version: 2, answers },
        labelled: [{ name: 'size', label: 'Dimensions', text: 'Tiny' }, status, { name: 'more', text: '' }],
      },
      { form_version: 1, answers, labelled: [{ name: 'size', label: 'Size', text: 'Small' }, status] },
    ])
  })

  test(`${engine.name}: an export of all forms has columns for forms with answers, and local times`, async () => {
    const { db, ids } = await openDatabase()
    await db
      .insertInto('settings')
      .values({ key: 'site', value_json: JSON.stringify({ time_zone: 'Europe/Dublin' }) })
      .execute()
    const quote = await storeForm(db, 'quote', { fields: [{ name: 'rooms', label: 'Rooms' }] })
    const visit = await storeForm(db, 'visit', { fields: [{ name: 'day', label: 'Day' }] })
    await add(db, [
      { formId: quote.id, answers: { rooms: 'three' }, day: 1 },
      { formId: quote.id, answers: { rooms: 'four' }, day: 2, status: 'archived' },
      { formId: visit.id, answers: { day: 'Monday' }, day: 3, status: 'archived' },
    ])
    const fixed = '\ufeffid,submitted_at,form,form_version,status,page,service,location,local_time'
    const touch = TOUCH_KEYS.filter((key) => key !== 'at')
    const sources = [
      ',source',
      ...touch,
      ...touch.map((key) => `first_${key}`),
      'stage',
      'assignee',
      ...KIND_META_KEYS,
      'pages_seen',
    ].join()
    const linesOf = async (filter: Partial<InboxFilter>) =>
      (await Array.fromAsync(exportCsv(db, { scope: EVERY_LEAD, statuses: STATUSES, ...filter })))
        .join('')
        .split('\r\n')
    const [header, row] = await linesOf({})
    assert.equal(header, `${fixed},Rooms${sources}`)
    assert.match(
      String(row),
      /,2026-10-01T10:00:00\.000Z,quote,,new,,,,2026-10-01 11:00:00,three,{26}New,,,,$/,
    )
    const both = ['new', 'archived'] as const
    assert.equal((await linesOf({ statuses: both }))[0], `${fixed},Rooms,Day${sources}`)
    assert.equal((await linesOf({ statuses: [] }))[0], fixed + sources)
    assert.match(String((await linesOf({ formId: 1 }))[0]), /,local_time,Full name,/)
    await ids({ search: 'words are indexed' })
    assert.equal((await linesOf({ statuses: both, search: 'monday' }))[0], `${fixed},Day${sources}`)
  })

  test(`${engine.name}: §2.4 an answer of an unknown kind is listed and found as text`, async () => {
    const { db, ids } = await openDatabase()
    const answers = { rooms: [{ name: 'Kitchen' }], size: { width: 3 } } as unknown as Answers
    const [id] = await add(db, [{ answers }])
    assert.deepEqual(await ids({ search: 'kitchen' }), [id])
  })
}

test('a cursor is accepted only unchanged', () => {
  const cursor = { direction: 'older' as const, submittedAt: '2026-11-20 10:00:00', id: 7 }
  assert.deepEqual(parseCursor(formatCursor(cursor)), cursor)
  for (const text of ['older~\0~7', 'older~~7', 'oldest~2026~7', 'older~2026~x', null])
    assert.equal(parseCursor(text), undefined)
})

test('an inbox row stays short for any answers', () => {
  const photo = { name: 'roof.png', size: 2_621_440, type: 'image/png', upload_id: 1 }
  assert.equal(summarize({ name: 'Ann', photo }).excerpt, 'roof.png (2.5 MB)')
  const { sender, excerpt } = summarize({ name: '😀'.repeat(30_000), text: '👩‍🚀'.repeat(9_000) })
  assert.equal(sender, '😀'.repeat(100))
  assert.ok(excerpt.isWellFormed() && [...excerpt].length === 200)
})

test('submissions with the longest answers are indexed one per event loop turn', async (t) => {
  const db = await openTestDatabase(t)
  const index = createSearchIndex({ db, log: { error: (details) => assert.fail(String(details)) } })
  after(() => index.stop())
  // One letter that stands for eighteen, of which no word is new.
  const notes = '\ufdfa'.repeat(21_000)
  const ids = await add(db, [{ answers: { notes: null } }, ...Array(20).fill({ answers: { notes } })])
  const watch = watchLoop()
  while (!(await index.catchUp()));
  // Then the watch has looked once more.
  await nextTurn()
  await nextTurn()
  const { ownMs } = watch.end()
  const { submissions } = await listInbox(db, { scope: EVERY_LEAD, statuses: STATUSES, search: 'ﷺ' })
  assert.deepEqual(submissions.map(({ id }) => id).reverse(), ids.slice(1))
  assertWithin(ownMs, 100)
})

test('an export of the longest answers yields the event loop', async (t) => {
  const db = await openTestDatabase(t)
  const notes = 'a,"b" '.repeat(10_000)
  const { id: formId } = await storeForm(db, 'quote', { fields: [{ name: 'notes', label: 'Notes' }] })
  await add(db, Array(40).fill({ answers: { notes }, formId }))
  for (const write of [exportCsv, exportJson]) {
    const watch = watchLoop()
    let characters = 0
    for await (const part of write(db, { scope: EVERY_LEAD, statuses: STATUSES })) characters += part.length
    await nextTurn()
    await nextTurn()
    const { ownMs } = watch.end()
    assert.ok(characters > 40 * notes.length)
    assertWithin(ownMs, 100, write.name)
  }
})
