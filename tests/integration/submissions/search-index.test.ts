import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { cleanWords } from '#src/submissions/search/clean-words.ts'
import { createSearchIndex } from '#src/submissions/search/search-index.ts'
import { addPending } from '#src/submissions/search/search-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { waitFor } from '../../support/running-site.ts'

async function addLeads(db: Kysely<Schema>, count: number) {
  const row = { form_id: null, data_json: '{"name":"Ann"}', submitted_at: '2026-11-20T10:00:00.000Z' }
  await db
    .insertInto('form_submissions')
    .values(Array.from({ length: count }, () => row))
    .execute()
}

async function countIndexed(db: Kysely<Schema>) {
  const { rows } = await sql<{ count: number }>`select count(*) as count from submission_search
    where submission_search match 'ann'`.execute(db)
  return rows[0]?.count
}

test('the index catches up by 50 leads at a time, as far as asked', async (t) => {
  const db = await openTestDatabase(t)
  const index = createSearchIndex({ db, log: { error: () => assert.fail() } })
  await addLeads(db, 120)
  assert.deepEqual([await index.catchUp(50), await countIndexed(db)], [false, 50])
  assert.deepEqual([await index.catchUp(50), await countIndexed(db)], [false, 100])
  assert.deepEqual([await index.catchUp(50), await countIndexed(db)], [true, 120])
  assert.equal(await index.catchUp(50), true)
  await index.stop()
  await addLeads(db, 1)
  assert.deepEqual([await index.catchUp(), await countIndexed(db)], [false, 120])
})

test('the index goes on in the background after a failure, which is logged', async (t) => {
  const db = await openTestDatabase(t)
  const errors: object[] = []
  const index = createSearchIndex({ db, log: { error: (details: object) => void errors.push(details) } })
  await sql`alter table form_submissions rename to moved`.execute(db)
  await assert.rejects(index.catchUp())
  assert.equal(errors.length, 1)
  await sql`alter table moved rename to form_submissions`.execute(db)
  await addLeads(db, 3)
  assert.equal(await index.catchUp(), true)
  assert.equal(await countIndexed(db), 3)
  await index.stop()
})

test('cleaning the words of deleted leads stops when told', async (t) => {
  const db = await openTestDatabase(t)
  await addLeads(db, 60)
  await createSearchIndex({ db, log: { error: () => assert.fail() } }).catchUp()
  await db.deleteFrom('form_submissions').where('id', '>', 10).execute()
  assert.equal(await cleanWords(db, { signal: AbortSignal.abort() }), false)
  assert.equal(await cleanWords(db), true)
  assert.equal(await countIndexed(db), 10)
})

test('changed leads are indexed again by 50, and new ones in the background', async (t) => {
  const db = await openTestDatabase(t)
  const index = createSearchIndex({ db, log: { error: () => assert.fail() } })
  t.after(() => index.stop())
  await addLeads(db, 60)
  await index.catchUp()
  await db.updateTable('form_submissions').set({ data_json: '{"name":"Eve"}' }).execute()
  const { rows } = await sql<{ id: number }>`select id from form_submissions`.execute(db)
  await addPending(
    db,
    rows.map(({ id }) => id),
  )
  assert.deepEqual([await index.catchUp(50), await countIndexed(db)], [false, 10])
  assert.deepEqual([await index.catchUp(50), await countIndexed(db)], [true, 0])
  await addLeads(db, 1)
  index.start()
  await waitFor(async () => (await countIndexed(db)) === 1)
  await addLeads(db, 1)
  index.wake()
  await waitFor(async () => (await countIndexed(db)) === 2)
})
