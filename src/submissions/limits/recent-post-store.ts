import type { Db } from '../../db/schema.ts'
import { fromRow } from '../../db/tables/columns.ts'

/** An accepted post, by a keyed hash of its form and address. */
export interface RecentPost {
  addressHash: string
  /** UTC text. */
  postedAt: string
  /** Bytes of its files. */
  uploadBytes: number
}

export async function insertRecentPosts(db: Db, posts: readonly RecentPost[]): Promise<void> {
  if (posts.length === 0) return
  const rows = posts.map(({ addressHash, postedAt, uploadBytes }) => ({
    address_hash: addressHash,
    posted_at: postedAt,
    upload_bytes: uploadBytes,
  }))
  await db.insertInto('recent_posts').values(rows).execute()
}

/** The posts after that id, oldest first. */
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

/** Deletes the oldest posts from before that moment, `limit` at most; returns how many. */
export async function deleteRecentPosts(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const oldest = await listRecentPosts(db, { afterId: 0, limit })
  const ids = oldest.filter(({ postedAt }) => postedAt < before.toISOString()).map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('recent_posts').where('id', 'in', ids).execute()
  return ids.length
}
