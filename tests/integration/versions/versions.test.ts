import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { migrate } from '#src/db/migrate.ts'
import { keepDraft, keepVersion } from '#src/versions/keep-version.ts'
import { packJson, readJson, writeContent } from '#src/versions/packed-content.ts'
import {
  deleteVersions,
  findDraft,
  findHead,
  findVersion,
  listVersionContents,
  listVersions,
  retireDraft,
} from '#src/versions/version-store.ts'
import { openEmptySqlite, openTestDatabase } from '../../support/database.ts'

const PAGE = { kind: 'entry', id: 7 } as const
const OTHERS = [{ kind: 'entry', id: 8 } as const, { kind: 'form', id: 7 } as const]
const at = (minute: number) => `2026-11-20T10:0${minute}:00.000Z`
const ANN = { source: 'admin', email: 'ann@example.com' } as const
const FILE = { source: 'file' } as const

/** Versions of a page, and one of each of two others that nothing may change. */
async function aHistory(t: TestContext) {
  const db = await openTestDatabase(t)
  for (const other of OTHERS)
    await keepVersion(db, other, { before: undefined, after: { title: other.kind } }, { now: at(0) })
  const save = (minute: number, title: string, before?: { title: string; minute: number }) => {
    const former = before && { content: { title: before.title }, savedAt: at(before.minute) }
    return keepVersion(db, PAGE, { before: former, after: { title } }, { now: at(minute), by: ANN })
  }
  const shown = async () =>
    (await listVersionContents(db, PAGE, { limit: 9 })).map(({ version, content }) => [
      (content as { title: string }).title,
      version.state,
      version.source,
      version.savedBy,
      version.savedAt,
    ])
  const draft = (minute: number, title: string, before?: { title: string; minute: number }) => {
    const former = before && { content: { title: before.title }, savedAt: at(before.minute) }
    return keepDraft(db, PAGE, { before: former, after: { title } }, { now: at(minute), by: ANN })
  }
  return { db, save, draft, shown }
}

const byAnn = (title: string, minute: number, state = 'saved') => [
  ...[title, state, 'admin', 'ann@example.com', at(minute)],
]
const byFile = (title: string, minute: number) => [title, 'saved', 'file', null, at(minute)]
const unknown = (title: string, minute: number) => [title, 'saved', 'unknown', null, at(minute)]

test('each save that changes something is a version, newest first', async (t) => {
  const { db, save, shown } = await aHistory(t)
  await save(1, 'one')
  await save(2, 'two', { title: 'one', minute: 1 })
  await save(3, 'two', { title: 'two', minute: 2 })
  assert.deepEqual(await shown(), [byAnn('two', 2), byAnn('one', 1)])
  const [newest, oldest] = await listVersions(db, PAGE, { limit: 9 })
  assert.ok(newest && oldest && newest.id > oldest.id)
  assert.deepEqual(await listVersions(db, PAGE, { limit: 1 }), [newest])
  assert.deepEqual(await listVersions(db, PAGE, { limit: 9, before: newest.id }), [oldest])
  const contents = await listVersionContents(db, PAGE, { limit: 9, before: newest.id })
  assert.deepEqual(contents, [{ version: oldest, content: { title: 'one' } }])
  assert.deepEqual(await findVersion(db, PAGE, oldest.id), contents[0])
  for (const other of OTHERS) {
    assert.equal(await findVersion(db, other, oldest.id), undefined)
    assert.equal((await listVersions(db, other, { limit: 9 })).length, 1)
  }
})

test('the state before the first version is a version too, unless it is the newest or unknown', async (t) => {
  const { save, shown } = await aHistory(t)
  // Only a content file saves without a version.
  await save(2, 'two', { title: 'one', minute: 1 })
  assert.deepEqual(await shown(), [byAnn('two', 2), byFile('one', 1)])
  // Changed along with something else.
  await save(4, 'four', { title: 'three', minute: 3 })
  assert.deepEqual((await shown()).slice(0, 2), [byAnn('four', 4), unknown('three', 3)])
  // Saved again with the same content, at another time.
  await save(6, 'six', { title: 'four', minute: 5 })
  assert.deepEqual((await shown()).slice(0, 3), [byAnn('six', 6), byAnn('four', 4), unknown('three', 3)])
  // Put back to what it is said to have been.
  await save(8, 'seven', { title: 'seven', minute: 7 })
  assert.deepEqual((await shown()).slice(0, 2), [unknown('seven', 7), byAnn('six', 6)])
})

test('a draft replaces the former draft and isn’t a saved version', async (t) => {
  const { db, save, draft, shown } = await aHistory(t)
  await draft(1, 'draft of nothing')
  await save(2, 'two')
  await draft(3, 'first draft', { title: 'two', minute: 2 })
  await draft(4, 'second draft', { title: 'two', minute: 2 })
  assert.deepEqual(await shown(), [
    byAnn('second draft', 4, 'draft'),
    byAnn('first draft', 3, 'former_draft'),
    byAnn('two', 2),
    byAnn('draft of nothing', 1, 'former_draft'),
  ])
  const found = await findDraft(db, PAGE)
  assert.deepEqual(found?.content, { title: 'second draft' })
  assert.deepEqual(await findHead(db, PAGE), {
    newestHash: writeContent({ title: 'two' }).contentSha256,
    newestSavedAt: at(2),
    draftId: found?.version.id,
  })
  assert.equal(await retireDraft(db, PAGE), true)
  assert.equal(await retireDraft(db, PAGE), false)
  assert.equal(await findDraft(db, PAGE), undefined)
  // A draft does not hide that the saved content is the newest.
  await draft(5, 'third draft', { title: 'one', minute: 1 })
  assert.deepEqual((await shown()).slice(0, 2), [byAnn('third draft', 5, 'draft'), unknown('one', 1)])
})

test('a known newest version is not queried again', async (t) => {
  const { db, shown } = await aHistory(t)
  const { contentSha256: newestHash } = writeContent({ title: 'one' })
  const saving = { now: at(2), by: ANN }
  const before = { content: { title: 'zero' }, savedAt: at(1) }
  const head = { newestHash, newestSavedAt: at(1) }
  await keepVersion(db, PAGE, { before, after: { title: 'one' }, head }, saving)
  assert.deepEqual(await shown(), [])
})

test('versions from files are packed, those by people aren’t, and both read the same', async (t) => {
  const { db } = await aHistory(t)
  const content = { title: 'x'.repeat(5_000), list: ['ü', null, 1] }
  const sizes: number[] = []
  for (const by of [ANN, FILE]) {
    const subject = { kind: 'entry', id: by === ANN ? 20 : 21 } as const
    await keepVersion(db, subject, { before: undefined, after: content }, { now: at(1), by })
    const [stored] = await listVersionContents(db, subject, { limit: 1 })
    assert.deepEqual([stored?.content, stored?.version.source], [content, by.source])
    const row = await db
      .selectFrom('content_versions')
      .select('content')
      .where('subject_id', '=', subject.id)
      .executeTakeFirstOrThrow()
    sizes.push(row.content.length)
  }
  assert.ok((sizes[0] ?? 0) > 5_000 && (sizes[1] ?? 0) < 500, sizes.join())
  for (const value of [{ a: 1 }, [], 'text', null])
    assert.deepEqual(readJson(packJson(JSON.stringify(value))), value)
  assert.deepEqual(writeContent({ b: 1, a: 2 }), writeContent({ a: 2, b: 1 }))
})

test('versions of some subjects are deleted, and no others', async (t) => {
  const { db, save } = await aHistory(t)
  await save(1, 'one')
  await deleteVersions(db, 'entry', [])
  await deleteVersions(db, 'entry', [7, 9])
  assert.deepEqual(await listVersions(db, PAGE, { limit: 9 }), [])
  assert.deepEqual(await findHead(db, PAGE), {
    newestHash: undefined,
    newestSavedAt: undefined,
    draftId: undefined,
  })
  for (const other of OTHERS) assert.equal((await listVersions(db, other, { limit: 9 })).length, 1)
})

test('the migration says that first versions from nobody came from content files', async (t) => {
  const db = openEmptySqlite(t)
  await migrate(db, { to: '0357' })
  const shared = { subject_kind: 'entry', state: 'saved', content: Buffer.from('{}') } as const
  const row = { ...shared, saved_by: null, saved_at: at(1), content_sha256: 'x' }
  const version = (subject_id: number, source: 'admin' | 'unknown') =>
    db
      .insertInto('content_versions')
      .values({ ...row, subject_id, source })
      .execute()
  await version(7, 'unknown')
  await version(8, 'admin')
  await version(7, 'admin')
  await version(8, 'unknown')
  await migrate(db)
  const sources = async (id: number) =>
    (await listVersions(db, { kind: 'entry', id }, { limit: 9 })).map(({ source }) => source)
  assert.deepEqual(
    [await sources(7), await sources(8)],
    [
      ['admin', 'file'],
      ['unknown', 'admin'],
    ],
  )
})
