import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Db } from '../../db/schema.ts'
import type { SoughtWord } from './search-words.ts'

// On PostgreSQL several machines store: a row with a lower id may become visible after one with a higher.
const LOOK_BACK = 5_000
/** So few that one step takes some milliseconds. */
const REWRITE_PAGES = 16
/** Rows that are read before the index of words is asked; a row takes less than a microsecond. */
const NEAR_ROWS = 4_000
/** Number of rows to read if the first ones suggest that these hold enough matches. */
const MOST_NEAR_ROWS = 100_000
/** So many more rows than the first ones suggest. */
const NEAR_MARGIN = 1.5

export interface Unindexed {
  /** The oldest submissions that cannot be found by their words yet. */
  ids: number[]
  /** True if the words of others are out of date. */
  isOutdated: boolean
}

/** Lists up to `limit` submissions that are not indexed yet. */
export async function findUnindexed(db: Db, { limit }: { limit: number }): Promise<Unindexed> {
  const { rows } = await sql<{ id: number | null; outdated: number | boolean }>`
    select missing.id, exists (select 1 from submission_search_pending)
      or exists (select 1 from submission_search_rebuild) as outdated
    from (select 1) as one left join (
      select id from ${unindexed(db)} order by id limit ${limit}
    ) as missing on true order by missing.id`.execute(db)
  return {
    ids: rows.flatMap(({ id }) => id ?? []),
    isOutdated: Boolean(rows[0]?.outdated),
  }
}

function unindexed(db: Db): RawBuilder<unknown> {
  if (engineOf(db) === 'sqlite')
    return sql`(select id from form_submissions where id > coalesce(${newestIndexed}, 0)) as behind`
  // As a difference of two short lists: for a join the planner would read the whole index.
  const first = sql`coalesce((select max(submission_id) from submission_search), 0) - ${LOOK_BACK}`
  return sql`(select id from form_submissions where id > ${first}
    except select submission_id from submission_search where submission_id > ${first}) as behind`
}

// A `max` would read the whole index.
const newestIndexed = sql<number>`(select rowid from submission_search order by rowid desc limit 1)`

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

/** Replaces what these submissions are found by. */
export async function replaceSearchWords(
  db: Db,
  submissions: readonly { id: number; words: string }[],
): Promise<void> {
  if (submissions.length === 0) return
  const rows = submissions.map(({ id, words }) =>
    engineOf(db) === 'sqlite' ? sql`(${id}, ${words})` : sql`(${id}, to_tsvector('simple', ${words}))`,
  )
  await (engineOf(db) === 'sqlite'
    ? sql`insert or replace into submission_search (rowid, words) values ${sql.join(rows)}`
    : sql`insert into submission_search (submission_id, words) values ${sql.join(rows)}
        on conflict (submission_id) do update set words = excluded.words`
  ).execute(db)
}

/** Notes that the words of these submissions are out of date. */
export async function addPending(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .insertInto('submission_search_pending')
    .values(ids.map((submission_id) => ({ submission_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Takes submissions whose words are out of date off the list, newest first; call it in a transaction. */
export async function takePendingIds(db: Db, { limit }: { limit: number }): Promise<number[]> {
  const newest = db
    .selectFrom('submission_search_pending')
    .select('submission_id')
    .orderBy('submission_id', 'desc')
    .limit(limit)
  // On SQLite the newest row is the position: what is beyond it is indexed with its neighbors first.
  const due =
    engineOf(db) === 'sqlite'
      ? newest.where('submission_id', '<=', newestIndexed)
      : newest.forUpdate().skipLocked()
  const rows = await db
    .deleteFrom('submission_search_pending')
    .where('submission_id', 'in', due)
    .returning('submission_id as id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Puts the next submissions of the rebuild on that list; false when there are none. Call it in a transaction. */
export async function addPendingOfRebuild(db: Db, { limit }: { limit: number }): Promise<boolean> {
  const rebuild = db.selectFrom('submission_search_rebuild').select('next_id')
  const row = await (engineOf(db) === 'sqlite' ? rebuild : rebuild.forUpdate()).executeTakeFirst()
  if (!row) return false
  const ids = await db
    .selectFrom('form_submissions')
    .select('id as submission_id')
    .where('id', '<=', row.next_id)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  const last = ids.at(-1)
  if (!last) {
    await db.deleteFrom('submission_search_rebuild').execute()
    return false
  }
  await db
    .insertInto('submission_search_pending')
    .values(ids)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .updateTable('submission_search_rebuild')
    .set({ next_id: last.submission_id - 1 })
    .execute()
  return true
}

/**
 * Takes one step of writing the search index anew without the words of removed submissions, in a transaction; false
 * when nothing is left. Nothing to do on PostgreSQL.
 */
export async function rewriteWords(db: Db, { isFirst }: { isFirst: boolean }): Promise<boolean> {
  if (engineOf(db) !== 'sqlite') return false
  // Negative: all parts of the index, and not only the small ones.
  const pages = isFirst ? -REWRITE_PAGES : REWRITE_PAGES
  const before = await countChanges(db)
  await sql`insert into submission_search (submission_search, rank) values ('merge', ${pages})`.execute(db)
  // The command itself counts as one.
  return (await countChanges(db)) - before > 1
}

async function countChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Need of a search: that word, or one of these marks. */
export interface SoughtPart extends SoughtWord {
  marks: readonly string[]
}

export interface WordSearch {
  words: readonly SoughtPart[]
  /** Marks of places (`placeMark`), one of which has to be there; none for any place. */
  places: readonly string[]
  direction: 'older' | 'newer'
  /** Beyond this id, in that direction. */
  beyond: number | undefined
  limit: number
}

/** Lists submissions that have all these words, in that direction. */
export async function searchSubmissionIds(db: Db, search: WordSearch): Promise<number[]> {
  if (engineOf(db) === 'sqlite') return idsOf(db, sqliteQuery(search))
  const { limit } = search
  const near = await idsOf(db, nearQuery(search, Math.max(NEAR_ROWS, limit)))
  if (near.length === limit) return near
  const rows = (limit / near.length) * NEAR_ROWS * NEAR_MARGIN
  const further = rows > MOST_NEAR_ROWS ? [] : await idsOf(db, nearQuery(search, Math.ceil(rows)))
  return further.length === limit ? further : idsOf(db, indexQuery(search))
}

async function idsOf(db: Db, query: RawBuilder<{ id: number }>): Promise<number[]> {
  const { rows } = await query.execute(db)
  return rows.map(({ id }) => id)
}

function sqliteQuery({ words, places, ...search }: WordSearch): RawBuilder<{ id: number }> {
  const { order, bound } = rangeOf(search, 'rowid')
  return sql`select rowid as id from submission_search
    where submission_search match ${toSqliteQuery(words, places)} and ${bound} order by rowid ${order} limit ${search.limit}`
}

// Words that many submissions have are soon found along the ids. For any other the planner would read all rows like that:
// it knows nothing of which words are rare together.
function nearQuery({ words, places, ...search }: WordSearch, rows: number): RawBuilder<{ id: number }> {
  const { order, bound } = rangeOf(search, 'submission_id')
  return sql`select submission_id as id from (select submission_id, words from submission_search
      where ${bound} order by submission_id ${order} limit ${rows}) as near
    where words @@ to_tsquery('simple', ${toPostgresQuery(words, places)}) order by id ${order} limit ${search.limit}`
}

function indexQuery({ words, places, ...search }: WordSearch): RawBuilder<{ id: number }> {
  const { order, bound } = rangeOf(search, 'submission_id')
  return sql`with found as materialized (select submission_id from submission_search
      where words @@ to_tsquery('simple', ${toPostgresQuery(words, places)}))
    select submission_id as id from found where ${bound} order by id ${order} limit ${search.limit}`
}

function rangeOf({ direction, beyond }: Pick<WordSearch, 'direction' | 'beyond'>, id: string) {
  const isOlder = direction === 'older'
  const bound = beyond === undefined ? sql`1 = 1` : sql`${sql.ref(id)} ${isOlder ? sql`<` : sql`>`} ${beyond}`
  return { order: isOlder ? sql`desc` : sql`asc`, bound }
}

function toSqliteQuery(words: readonly SoughtPart[], places: readonly string[]): string {
  const quote = (word: string) => `"${word}"`
  const parts = words.map(({ word, isPrefix, marks }) => [
    `"${word}"${isPrefix ? '*' : ''}`,
    ...marks.map(quote),
  ])
  return alternatives(parts, places.map(quote), ' OR ').join(' AND ')
}

function toPostgresQuery(words: readonly SoughtPart[], places: readonly string[]): string {
  const quote = (word: string) => `'${word}'`
  const parts = words.map(({ word, isPrefix, marks }) => [
    `'${word}'${isPrefix ? ':*' : ''}`,
    ...marks.map(quote),
  ])
  return alternatives(parts, places.map(quote), ' | ').join(' & ')
}

function alternatives(parts: readonly string[][], places: readonly string[], or: string): string[] {
  return [...parts, places].filter((part) => part.length > 0).map((part) => `(${part.join(or)})`)
}
