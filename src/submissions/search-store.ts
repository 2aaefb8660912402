import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../db/dialects.ts'
import type { Db } from '../db/schema.ts'
import type { SoughtWord } from './search-words.ts'

// On PostgreSQL several machines store: a row with a lower id may become visible after one with a higher.
const LOOK_BACK = 5_000

/** The id up to which every submission can be found by its words. */
export async function findSearchPosition(db: Db): Promise<number> {
  const isSqlite = engineOf(db) === 'sqlite'
  const newest = isSqlite
    ? sql<{ id: number }>`select rowid as id from submission_search order by rowid desc limit 1`
    : sql<{
        id: number
      }>`select submission_id as id from submission_search order by submission_id desc limit 1`
  const id = Number((await newest.execute(db)).rows[0]?.id ?? 0)
  return isSqlite ? id : Math.max(0, id - LOOK_BACK)
}

/** The oldest submissions after that id which cannot be found by their words yet. */
export async function listUnindexedIds(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const query = db
    .selectFrom('form_submissions')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
  const missing =
    engineOf(db) === 'sqlite'
      ? query
      : query.where(
          sql<boolean>`not exists (select 1 from submission_search as s where s.submission_id = form_submissions.id)`,
        )
  return (await missing.execute()).map(({ id }) => id)
}

export async function insertSearchWords(
  db: Db,
  submissions: readonly { id: number; words: string }[],
): Promise<void> {
  if (submissions.length === 0) return
  const rows = submissions.map(({ id, words }) =>
    engineOf(db) === 'sqlite' ? sql`(${id}, ${words})` : sql`(${id}, to_tsvector('simple', ${words}))`,
  )
  await (engineOf(db) === 'sqlite'
    ? sql`insert into submission_search (rowid, words) values ${sql.join(rows)}`
    : sql`insert into submission_search (submission_id, words) values ${sql.join(rows)} on conflict do nothing`
  ).execute(db)
}

export interface WordSearch {
  words: readonly SoughtWord[]
  /** Marks of places (`placeMark`). */
  marks: readonly string[]
  direction: 'older' | 'newer'
  /** Beyond this id, in that direction. */
  beyond: number | undefined
  limit: number
}

/** Ids of submissions that have all these words, in that direction. */
export async function searchSubmissionIds(db: Db, search: WordSearch): Promise<number[]> {
  const { rows } = await wordsQuery(db, search).execute(db)
  return rows.map(({ id }) => id)
}

function wordsQuery(
  db: Db,
  { words, marks, direction, beyond, limit }: WordSearch,
): RawBuilder<{ id: number }> {
  const isSqlite = engineOf(db) === 'sqlite'
  const id = sql.ref(isSqlite ? 'rowid' : 'submission_id')
  const all = [...words, ...marks.map((word) => ({ word, isPrefix: false }))]
  const terms = all.map(({ word, isPrefix }) =>
    isSqlite ? `"${word}"${isPrefix ? '*' : ''}` : `'${word}'${isPrefix ? ':*' : ''}`,
  )
  const matches = isSqlite
    ? sql`submission_search match ${terms.join(' AND ')}`
    : sql`words @@ to_tsquery('simple', ${terms.join(' & ')})`
  const order = direction === 'older' ? sql`desc` : sql`asc`
  const bound =
    beyond === undefined ? sql`` : sql`and ${id} ${direction === 'older' ? sql`<` : sql`>`} ${beyond}`
  return sql`select ${id} as id from submission_search where ${matches} ${bound} order by ${id} ${order} limit ${limit}`
}
