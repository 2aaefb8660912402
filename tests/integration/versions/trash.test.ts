import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { leavesTrashAt, trashLimit } from '#src/versions/trash-days.ts'
import {
  deleteTrashed,
  findTrashed,
  insertTrashed,
  listTrash,
  listTrashedBefore,
  listTrashedContents,
  listTrashedNames,
  updateTrashedContent,
} from '#src/versions/trash-store.ts'
import type { Saving } from '#src/versions/version.ts'
import { openTestDatabase } from '../../support/database.ts'

const at = (day: number) => `2026-11-${day}T10:00:00.000Z`
const ANN = { source: 'admin', email: 'ann@example.com' } as const

async function aTrash(t: TestContext) {
  const db = await openTestDatabase(t)
  const put = (
    subject: { kind: 'entry' | 'term' | 'form'; id: number },
    name: string,
    saving: Saving = { now: at(20), by: ANN },
  ) => insertTrashed(db, subject, { typeSlug: 'pages', name, parts: 2, content: { name } }, saving)
  const ids = {
    page: await put({ kind: 'entry', id: 7 }, 'Page'),
    term: await put({ kind: 'term', id: 7 }, 'Term', { now: at(11), by: { source: 'file' } }),
    other: await put({ kind: 'entry', id: 8 }, 'Other', { now: at(10) }),
  }
  return { db, put, ids }
}

test('the trash lists what was deleted, by whom and when, newest first', async (t) => {
  const { db, ids } = await aTrash(t)
  const page = {
    ...{ id: ids.page, subject: { kind: 'entry', id: 7 }, typeSlug: 'pages', name: 'Page', parts: 2 },
    ...{ source: 'admin', deletedBy: 'ann@example.com', deletedAt: at(20) },
  }
  const all = await listTrash(db, { limit: 9 })
  assert.deepEqual(
    all.map(({ name, source, deletedBy, deletedAt }) => [name, source, deletedBy, deletedAt]),
    [
      ['Other', 'admin', null, at(10)],
      ['Term', 'file', null, at(11)],
      ['Page', 'admin', 'ann@example.com', at(20)],
    ],
  )
  assert.deepEqual(all[2], page)
  assert.deepEqual(await listTrash(db, { limit: 2 }), all.slice(0, 2))
  assert.deepEqual(await listTrash(db, { limit: 1, before: ids.other }), all.slice(1, 2))
  assert.deepEqual(await findTrashed(db, ids.page), { trashed: page, content: { name: 'Page' } })
  assert.equal(await findTrashed(db, 999), undefined)
})

test('names in the trash are found by kind and ID', async (t) => {
  const { db } = await aTrash(t)
  assert.deepEqual(
    await listTrashedNames(db, { kind: 'entry', ids: [7, 8, 9] }),
    new Map([
      [7, { name: 'Page', typeSlug: 'pages' }],
      [8, { name: 'Other', typeSlug: 'pages' }],
    ]),
  )
  assert.deepEqual(await listTrashedNames(db, { kind: 'entry', ids: [] }), new Map())
})

test('content in the trash is read by kind, changed, and deleted one by one', async (t) => {
  const { db, ids } = await aTrash(t)
  await updateTrashedContent(db, ids.page, { name: 'Erased' })
  const contents = async () => (await listTrashedContents(db, 'entry')).map(({ content }) => content)
  assert.deepEqual(await contents(), [{ name: 'Erased' }, { name: 'Other' }])
  assert.deepEqual(await listTrashedContents(db, 'term'), [{ id: ids.term, content: { name: 'Term' } }])
  assert.equal(await deleteTrashed(db, ids.page), true)
  assert.equal(await deleteTrashed(db, ids.page), false)
  assert.deepEqual(await contents(), [{ name: 'Other' }])
})

test('items leave the trash after 30 days, oldest first', async (t) => {
  const { db } = await aTrash(t)
  const left = async (moment: string, limit = 9) =>
    (await listTrashedBefore(db, moment, { limit })).map(({ name }) => name)
  assert.deepEqual(await left(at(10)), [])
  assert.deepEqual(await left(at(11)), ['Other'])
  assert.deepEqual(await left(at(12)), ['Other', 'Term'])
  assert.deepEqual(await left(at(12), 1), ['Other'])
  assert.equal(leavesTrashAt(at(20)), '2026-12-20T10:00:00.000Z')
  assert.equal(trashLimit(new Date('2026-12-20T10:00:00.000Z')), at(20))
})
