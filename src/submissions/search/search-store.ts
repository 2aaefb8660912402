import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Db } from '../../db/schema.ts'
import type { SoughtWord } from './search-words.ts'

// On PostgreSQL several servers store rows, so a lower ID may become visible after a higher one.
const LOOK_BACK = 5_000
/** Few enough that one step takes milliseconds. */
const REWRITE_PAGES = 16
/** Rows read before the word index is used; a row takes less than a microsecond. */
const NEAR_ROWS = 4_000
/** Maximum number of rows to read if the first ones suggest that these hold enough matches. */
const MOST_NEAR_ROWS = 100_000
/** Safety factor on the number of rows that the first ones suggest. */
const NEAR_MARGIN = 1.5

export interface Unindexed {
  /** The oldest submissions that aren't indexed yet. */
  ids: number[]
  /** True if the words of other submissions are out of date. */
  isOutdated: boolean
}

/** Lists up to `limit` submissions that are not indexed yet. */
export async function findUnindexed(db: Db, { limit }: { limit: number }): Promise<Unindexed> {
  const { rows } = await sql<{ id: number | null; outdated: number | boolean }>`
    select missing.id, exists (select 1 from submission_search_pending)
      or exists (select 1 from submission_search_rebuild) as outdated
    from (select 1) as one left join (
      select id from ${unindexed(db, { limit })} order by id limit ${limit}
    ) as missing on true order by missing.id`.execute(db)
  return {
    ids: rows.flatMap(({ id }) => id ?? []),
    isOutdated: Boolean(rows[0]?.outdated),
  }
}

function unindexed(db: Db, { limit }: { limit: number }): RawBuilder<unknown> {
  if (engineOf(db) === 'sqlite')
    return sql`(select id from form_submissions where id > coalesce(${newestIndexed}, 0)) as behind`
  // As a difference of two short lists: for a join, the planner would read the whole index. At most LOOK_BACK of the rows
  // looked at are indexed, so they hold enough others, however many wait.
  const first = sql`coalesce((select max(submission_id) from submission_search), 0) - ${LOOK_BACK}`
  return sql`((select id from form_submissions where id > ${first} order by id limit ${LOOK_BACK + limit})
    except select submission_id from submission_search where submission_id > ${first}) as behind`
}

// A `max` would read the whole index.
const newestIndexed = sql<number>`(select rowid from submission_search order by rowid desc limit 1)`

export async function insertSearchWords(
  db: Db,
  submissions: readonly { id: number; words: string }[],
): Promise<void> {
  if (submissions.length === 0) return
  const rows = rowsOf(db, submissions)
  await (engineOf(db) === 'sqlite'
    ? sql`insert into submission_search (rowid, words) values ${rows}`
    : sql`insert into submission_search (submission_id, words) values ${rows} on conflict do nothing`
  ).execute(db)
}

/** Replaces the index words of these submissions. */
export async function replaceSearchWords(
  db: Db,
  submissions: readonly { id: number; words: string }[],
): Promise<void> {
  if (submissions.length === 0) return
  const rows = rowsOf(db, submissions)
  await (engineOf(db) === 'sqlite'
    ? sql`insert or replace into submission_search (rowid, words) values ${rows}`
    : sql`insert into submission_search (submission_id, words) values ${rows}
        on conflict (submission_id) do update set words = excluded.words`
  ).execute(db)
}

function rowsOf(db: Db, submissions: readonly { id: number; words: string }[]): RawBuilder<unknown> {
  const indexed = (words: string) =>
    engineOf(db) === 'sqlite' ? sql`${words}` : sql`to_tsvector('simple', ${words})`
  return sql.join(submissions.map(({ id, words }) => sql`(${id}, ${indexed(words)})`))
}

/** Records that the index words of these submissions are out of date. */
export async function addPending(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .insertInto('submission_search_pending')
    .values(ids.map((submission_id) => ({ submission_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Takes submissions whose words are out of date off the list, newest first. Call it in a transaction. */
export async function takePendingIds(db: Db, { limit }: { limit: number }): Promise<number[]> {
  const newest = db
    .selectFrom('submission_search_pending')
    .select('submission_id')
    .orderBy('submission_id', 'desc')
    .limit(limit)
  // On SQLite the newest row marks the position: submissions after it are indexed in order anyway.
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

/**
 * Adds the next submissions of the rebuild to that list; returns false if there are none. Call it in a transaction.
 */
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
 * Runs one step of rewriting the search index without the words of deleted submissions, in a transaction; returns
 * false when nothing is left. Does nothing on PostgreSQL.
 */
export async function rewriteWords(db: Db, { isFirst }: { isFirst: boolean }): Promise<boolean> {
  if (engineOf(db) !== 'sqlite') return false
  // A negative number merges all parts of the index, not only small ones.
  const pages = isFirst ? -REWRITE_PAGES : REWRITE_PAGES
  const before = await countChanges(db)
  await sql`insert into submission_search (submission_search, rank) values ('merge', ${pages})`.execute(db)
  // The command itself counts as one change.
  return (await countChanges(db)) - before > 1
}

async function countChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** A search term: the word, or one of these marks. */
export interface SoughtPart extends SoughtWord {
  marks: readonly string[]
}

export interface WordSearch {
  words: readonly SoughtPart[]
  /** Marks of places (`placeMark`), one of which must match; empty for any place. */
  places: readonly string[]
  direction: 'older' | 'newer'
  /** Only IDs after this one in that direction. */
  beyond: number | undefined
  limit: number
}

/** Lists submissions that match all these words, in that direction. */
export async function searchSubmissionIds(db: Db, search: WordSearch): Promise<number[]> {
  if (engineOf(db) === 'sqlite') return idsOf(db, sqliteQuery(search))
  const { limit } = search
  const near = await idsOf(db, nearQuery(search, Math.max(NEAR_ROWS, limit)))
  if (near.length === limit) return near
  const rows = (limit / near.length) * NEAR_ROWS * NEAR_MARGIN
  const further = rows > MOST_NEAR_ROWS ? [] : await idsOf(db, nearQuery(search, Math.ceil(rows)))
  return further.length === limit ? further : idsOf(db, indexQuery(search))
}

/** Selects the same as part of another query. PostgreSQL, where finding them takes several steps, gets their IDs. */
export async function matchingIds(db: Db, search: WordSearch): Promise<RawBuilder<unknown>> {
  if (engineOf(db) === 'sqlite') return sql`(${sqliteQuery(search)})`
  return sql`(${sql.join([0, ...(await searchSubmissionIds(db, search))])})`
}

async function idsOf(db: Db, query: RawBuilder<{ id: number }>): Promise<number[]> {
  const { rows } = await query.execute(db)
  return rows.map(({ id }) => id)
}

function sqliteQuery({ words, places, ...search }: WordSearch): RawBuilder<{ id: number }> {
  const { order, bound } = rangeOf(search, 'rowid')
  return sql`select rowid as id from submission_search
    where submission_search match ${toQuery({ words, places }, SQLITE)} and ${bound} order by rowid ${order} limit ${search.limit}`
}

// Searches the nearest rows only, where common words are soon found. Left to itself, the planner would walk all rows
// for any search, because it doesn't know which combinations of words are rare.
function nearQuery({ words, places, ...search }: WordSearch, rows: number): RawBuilder<{ id: number }> {
  const { order, bound } = rangeOf(search, 'submission_id')
  return sql`select submission_id as id from (select submission_id, words from submission_search
      where ${bound} order by submission_id ${order} limit ${rows}) as near
    where words @@ to_tsquery('simple', ${toQuery({ words, places }, POSTGRES)}) order by id ${order} limit ${search.limit}`
}

function indexQuery({ words, places, ...search }: WordSearch): RawBuilder<{ id: number }> {
  const { order, bound } = rangeOf(search, 'submission_id')
  return sql`with found as materialized (select submission_id from submission_search
      where words @@ to_tsquery('simple', ${toQuery({ words, places }, POSTGRES)}))
    select submission_id as id from found where ${bound} order by id ${order} limit ${search.limit}`
}

function rangeOf({ direction, beyond }: Pick<WordSearch, 'direction' | 'beyond'>, id: string) {
  const isOlder = direction === 'older'
  const bound = beyond === undefined ? sql`1 = 1` : sql`${sql.ref(id)} ${isOlder ? sql`<` : sql`>`} ${beyond}`
  return { order: isOlder ? sql`desc` : sql`asc`, bound }
}

interface Syntax {
  quote: string
  prefix: string
  or: string
  and: string
}

const SQLITE: Syntax = { quote: '"', prefix: '*', or: ' OR ', and: ' AND ' }
const POSTGRES: Syntax = { quote: "'", prefix: ':*', or: ' | ', and: ' & ' }

function toQuery(
  { words, places }: Pick<WordSearch, 'words' | 'places'>,
  { quote, prefix, or, and }: Syntax,
): string {
  const quoted = (word: string) => quote + word + quote
  const parts = words.map(({ word, isPrefix, marks }) => [
    quoted(word) + (isPrefix ? prefix : ''),
    ...marks.map(quoted),
  ])
  const wanted = [...parts, places.map(quoted)].filter((part) => part.length > 0)
  return wanted.map((part) => `(${part.join(or)})`).join(and)
}
