import { type Kysely, sql } from 'kysely'
import { findRemovals, setRewritten } from './removals-store.ts'
import type { Schema } from './schema.ts'
import { truncateLog } from './truncate-log.ts'

/** A server rewrites no larger file by itself: that takes 1.5 s, for which posts wait. */
export const MAX_REWRITE_BYTES = 200 * 1024 * 1024

/**
 * Writes the SQLite file anew. That removes copies of rows that `secure_delete` cannot reach: SQLite leaves them in a page
 * when it moves rows to another, and pages that were freed by an older version still hold theirs. Blocks this thread and
 * all writers, about 8 seconds for each GB.
 */
export async function rewriteFile(db: Kysely<Schema>): Promise<void> {
  const removals = await findRemovals(db)
  await sql`vacuum`.execute(db)
  if (removals) await setRewritten(db, removals.removed)
  await truncateLog(db)
}
