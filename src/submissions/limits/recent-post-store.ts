import { type CompiledQuery, sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { insertRows } from '../../db/statements/insert-rows.ts'
import { fromRow } from '../../db/tables/columns.ts'

/** The class of PostgreSQL advisory locks for senders. */
const SENDER_LOCKS = 2_305

/** An accepted post, under a keyed hash of its form and address. */
export interface RecentPost {
  addressHash: string
  /** UTC text. */
  postedAt: string
  /** Bytes of its files. */
  uploadBytes: number
}

/** Statements that store accepted posts for the limits. */
export function recentPostInserts(db: Db, posts: readonly RecentPost[]): CompiledQuery[] {
  if (posts.length === 0) return []
  const rows = posts.map(({ addressHash, postedAt, uploadBytes }) => ({
    address_hash: addressHash,
    posted_at: postedAt,
    upload_bytes: uploadBytes,
  }))
  return [insertRows(db, 'recent_posts', rows).compile()]
}

/**
 * Blocks other servers from counting these senders' posts until the transaction ends, on PostgreSQL. Read the counts
 * in a later statement, which then sees the posts that those servers accepted.
 */
export function lockSenders(db: Db, hashes: readonly string[]): CompiledQuery<unknown> {
  return sql`select pg_advisory_xact_lock(${sql.lit(SENDER_LOCKS)}, key)
    from (select distinct hashtext(hash) as key from unnest(${hashes}::text[]) as hash order by key) as keys`.compile(
    db,
  )
}

export interface CountedRow {
  address_hash: string
  posted_at: string
}

/** Lists the posts of these senders after that time, in order of time, on PostgreSQL. */
export function recentPostsOf(
  db: Db,
  hashes: readonly string[],
  { since }: { since: Date },
): CompiledQuery<CountedRow> {
  return sql<CountedRow>`select address_hash, posted_at from recent_posts
    where address_hash = any(${hashes}::text[]) and posted_at > ${since.toISOString()}
    order by posted_at`.compile(db)
}

/** Lists the posts after that ID, oldest first. */
export async function listRecentPosts(
  db: Db,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<(RecentPost & { id: number })[]> {
  const rows = await db
    .selectFrom('recent_posts')
    .selectAll()
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(fromRow)
}

/** Deletes the oldest posts before that time, at most `limit`; returns the number. */
export async function deleteRecentPosts(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const oldest = await listRecentPosts(db, { afterId: 0, limit })
  const ids = oldest.filter(({ postedAt }) => postedAt < before.toISOString()).map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('recent_posts').where('id', 'in', ids).execute()
  return ids.length
}
