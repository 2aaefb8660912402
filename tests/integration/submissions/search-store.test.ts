import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { engineOf } from '#src/db/dialects.ts'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import type { Schema } from '#src/db/schema.ts'
import { leadsWithMarks } from '#src/submissions/search/marked-leads-store.ts'
import {
  addPending,
  addPendingOfRebuild,
  findUnindexed,
  insertSearchWords,
  matchingIds,
  replaceSearchWords,
  rewriteWords,
  searchSubmissionIds,
  takePendingIds,
  type WordSearch,
} from '#src/submissions/search/search-store.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

const ENGINES = [
  [sqliteEngine(), 'on SQLite'],
  [postgresEngine(), 'on PostgreSQL'],
] as const

const numbersTo = (count: number) => sql`with recursive numbers (n) as (
  select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})`

async function addLeads(db: Kysely<Schema>, count: number): Promise<void> {
  await sql`insert into form_submissions (form_id, data_json, submitted_at, status) ${numbersTo(count)}
    select 1, '{}', '2026-10-01T10:00:00.000Z', 'new' from numbers`.execute(db)
}

/** Indexes leads 1 to `count` under `word`, or under `others` by ID. */
async function addWords(
  db: Kysely<Schema>,
  count: number,
  { others = {}, word = 'filler' }: { others?: Record<number, string>; word?: string } = {},
) {
  const numbers = numbersTo(count)
  await (engineOf(db) === 'sqlite'
    ? sql`insert into submission_search (rowid, words) ${numbers} select n, ${word} from numbers`
    : sql`insert into submission_search (submission_id, words) ${numbers}
        select n, to_tsvector('simple', ${word}) from numbers`
  ).execute(db)
  const words = Object.entries(others).map(([id, words]) => ({ id: Number(id), words }))
  await replaceSearchWords(db, words)
}

const search = (words: string, rest: Partial<WordSearch> = {}): WordSearch => ({
  words: words === '' ? [] : words.split(' ').map(toPart),
  ...{ places: [], direction: 'older', beyond: undefined, limit: 10 },
  ...rest,
})

// `ann*` is a prefix; `ann|ªx` has a mark.
function toPart(text: string) {
  const [word = '', ...marks] = text.split('|')
  return { word: word.replace('*', ''), isPrefix: word.endsWith('*'), marks }
}

async function idsIn(db: Kysely<Schema>, list: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select id from form_submissions where id in ${list} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

for (const [engine, name] of ENGINES) {
  after(() => engine.close())

  test(`${name} leads are found by all words, prefixes, marks, and places, in either direction`, async () => {
    const db = await engine.openMigrated()
    await addLeads(db, 6)
    await insertSearchWords(db, [])
    await insertSearchWords(db, [
      { id: 1, words: 'ann smith xterm1' },
      { id: 2, words: 'anna kilkee xterm2' },
      { id: 3, words: 'ann kilkee xterm3' },
      { id: 4, words: 'bob smith xterm2' },
      { id: 5, words: 'smithers xterm1 xphone7' },
    ])
    const cases: [WordSearch, number[]][] = [
      [search('ann'), [3, 1]],
      [search('ann*'), [3, 2, 1]],
      [search('ann smith'), [1]],
      [search('smith*'), [5, 4, 1]],
      [search('bob|xphone7'), [5, 4]],
      [search('bob|xphone7|xterm3 smith*'), [5, 4]],
      [search('smith', { places: ['xterm2'] }), [4]],
      [search('smith', { places: ['xterm2', 'xterm1'] }), [4, 1]],
      [search('', { places: ['xterm1', 'xterm3'] }), [5, 3, 1]],
      [search('ann*', { direction: 'newer' }), [1, 2, 3]],
      [search('ann*', { direction: 'newer', beyond: 1 }), [2, 3]],
      [search('ann*', { beyond: 3 }), [2, 1]],
      [search('ann*', { limit: 2 }), [3, 2]],
      [search('ann*', { direction: 'newer', limit: 2 }), [1, 2]],
      [search('zoe'), []],
    ]
    for (const [one, ids] of cases) {
      assert.deepEqual(await searchSubmissionIds(db, one), ids, JSON.stringify(one))
      assert.deepEqual(await idsIn(db, await matchingIds(db, one)), [...ids].sort(), JSON.stringify(one))
    }
  })

  test(`${name} leads are found among thousands, near and far`, async () => {
    const db = await engine.openMigrated()
    await addLeads(db, 4_210)
    const rare = { 1: 'rare', 2: 'pair', 150: 'few', 3000: 'few', 4100: 'pair', 4199: 'few' }
    await addWords(db, 4_200, { others: rare })
    assert.deepEqual((await findUnindexed(db, { limit: 2 })).ids, [4_201, 4_202])
    const found = (words: string, rest: Partial<WordSearch> = {}) =>
      searchSubmissionIds(db, search(words, rest))
    assert.deepEqual(await found('rare'), [1])
    assert.deepEqual(await found('rare', { limit: 1 }), [1])
    assert.deepEqual(await found('few'), [4_199, 3_000, 150])
    assert.deepEqual(await found('few', { limit: 3 }), [4_199, 3_000, 150])
    assert.deepEqual(await found('few', { limit: 2 }), [4_199, 3_000])
    assert.deepEqual(await found('pair', { limit: 1 }), [4_100])
    assert.deepEqual(await found('pair', { limit: 2 }), [4_100, 2])
    assert.deepEqual(await found('pair', { beyond: 4_100 }), [2])
    assert.deepEqual(await found('pair', { direction: 'newer', beyond: 2 }), [4_100])
    assert.deepEqual(await found('few', { direction: 'newer', limit: 3 }), [150, 3_000, 4_199])
    assert.equal((await found('filler', { limit: 4_150 })).at(-1), 47)
  })

  test(`${name} the leads with any of some marks are listed, newest first, without spam`, async () => {
    const db = await engine.openMigrated()
    await addLeads(db, 6)
    await addWords(db, 6, { others: { 2: 'bob', 5: 'ann xmail' }, word: 'ann xphone' })
    await db.updateTable('form_submissions').set({ status: 'spam' }).where('id', '=', 3).execute()
    const list = async (marks: readonly string[], rest: { before?: number; limit?: number } = {}) =>
      idsIn(db, leadsWithMarks(db, { scope: EVERY_LEAD, marks, before: 6, limit: 10, ...rest }))
    assert.deepEqual(await list(['xphone']), [1, 4])
    assert.deepEqual(await list(['xphone', 'xmail']), [1, 4, 5])
    assert.deepEqual(await list(['xphone', 'xmail'], { limit: 1 }), [5])
    assert.deepEqual(await list(['xphone', 'xmail'], { before: 5 }), [1, 4])
    assert.deepEqual(await list(['xother']), [])
    const scope = { places: null, forms: [2] }
    assert.deepEqual(
      await idsIn(db, leadsWithMarks(db, { scope, marks: ['xphone'], before: 6, limit: 10 })),
      [],
    )
  })

  test(`${name} leads are indexed in order, and again, newest first, after a change`, async () => {
    const db = await engine.openMigrated()
    await addLeads(db, 5)
    assert.deepEqual(await findUnindexed(db, { limit: 3 }), { ids: [1, 2, 3], isOutdated: false })
    await addWords(db, 3)
    assert.deepEqual(await findUnindexed(db, { limit: 9 }), { ids: [4, 5], isOutdated: false })
    await insertSearchWords(
      db,
      [4, 5].map((id) => ({ id, words: 'filler' })),
    )
    await addPending(db, [])
    assert.deepEqual(await findUnindexed(db, { limit: 9 }), { ids: [], isOutdated: false })
    await addPending(db, [2, 4])
    await addPending(db, [4, 5])
    assert.deepEqual(await findUnindexed(db, { limit: 9 }), { ids: [], isOutdated: true })
    const take = async () => (await takePendingIds(db, { limit: 2 })).sort()
    assert.deepEqual([await take(), await take(), await take()], [[4, 5], [2], []])
    await replaceSearchWords(db, [])
    await replaceSearchWords(db, [{ id: 2, words: 'anew' }])
    assert.deepEqual(await searchSubmissionIds(db, search('anew')), [2])
    assert.deepEqual(await searchSubmissionIds(db, search('filler')), [5, 4, 3, 1])
  })

  test(`${name} a rebuild adds all leads up to one to that list, from the newest`, async () => {
    const db = await engine.openMigrated()
    await addLeads(db, 5)
    await addWords(db, 5)
    assert.equal(await addPendingOfRebuild(db, { limit: 3 }), false)
    await db.insertInto('submission_search_rebuild').values({ next_id: 4 }).execute()
    assert.deepEqual(await findUnindexed(db, { limit: 9 }), { ids: [], isOutdated: true })
    await addPending(db, [3])
    assert.equal(await addPendingOfRebuild(db, { limit: 3 }), true)
    assert.deepEqual((await takePendingIds(db, { limit: 9 })).sort(), [2, 3, 4])
    assert.equal(await addPendingOfRebuild(db, { limit: 3 }), true)
    assert.deepEqual(await takePendingIds(db, { limit: 9 }), [1])
    assert.equal(await addPendingOfRebuild(db, { limit: 3 }), false)
    assert.deepEqual(await findUnindexed(db, { limit: 9 }), { ids: [], isOutdated: false })
  })
}

test('on PostgreSQL a lead that became visible after a later one is indexed too', async () => {
  const db = await ENGINES[1][0].openMigrated()
  await addLeads(db, 5)
  await addWords(db, 5)
  await sql`delete from submission_search where submission_id in (2, 4)`.execute(db)
  assert.deepEqual(await findUnindexed(db, { limit: 9 }), { ids: [2, 4], isOutdated: false })
  assert.deepEqual(await findUnindexed(db, { limit: 1 }), { ids: [2], isOutdated: false })
  assert.equal(await rewriteWords(db, { isFirst: true }), false)
  await addLeads(db, 5_010)
  await sql`insert into submission_search (submission_id, words)
    select id, '' from form_submissions where id between 6 and 5012`.execute(db)
  await sql`insert into submission_search (submission_id, words) values (2, ''), (4, '')`.execute(db)
  assert.deepEqual((await findUnindexed(db, { limit: 9 })).ids, [5_013, 5_014, 5_015])
})
