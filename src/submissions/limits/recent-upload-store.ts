import { type CompiledQuery, sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

export interface UploadRow {
  started_at: string
  bytes: number
}

/** Lets a commit return before it is on disk. If the database crashes, a few uploads aren't counted. */
export function commitInBackground(db: Db): CompiledQuery<unknown> {
  return sql`set local synchronous_commit = off`.compile(db)
}

/** Lists the uploads of these senders after that time, in order of time. */
export function recentUploadsOf(
  db: Db,
  hashes: readonly string[],
  { since }: { since: Date },
): CompiledQuery<UploadRow> {
  return db
    .selectFrom('recent_uploads')
    .select(['started_at', 'bytes'])
    .where('address_hash', 'in', hashes)
    .where('started_at', '>', since.toISOString())
    .orderBy('started_at')
    .compile()
}

/** Counts an upload that has started; returns its ID. */
export async function insertRecentUpload(
  db: Db,
  upload: { addressHash: string; startedAt: Date; bytes: number },
): Promise<number> {
  const { id } = await db
    .insertInto('recent_uploads')
    .values({
      address_hash: upload.addressHash,
      started_at: upload.startedAt.toISOString(),
      bytes: upload.bytes,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Updates an upload with the number of bytes received. */
export async function updateRecentUpload(
  db: Db,
  id: number,
  { endedAt, bytes }: { endedAt: Date; bytes: number },
): Promise<void> {
  await db
    .updateTable('recent_uploads')
    .set({ started_at: endedAt.toISOString(), bytes })
    .where('id', '=', id)
    .execute()
}

export async function deleteRecentUploads(db: Db, { before }: { before: Date }): Promise<void> {
  await db.deleteFrom('recent_uploads').where('started_at', '<', before.toISOString()).execute()
}
