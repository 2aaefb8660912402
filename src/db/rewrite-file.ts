import { type Kysely, sql } from 'kysely'
import { findRemovals, setRewritten } from './removals-store.ts'
import type { Schema } from './schema.ts'
import { truncateLog } from './truncate-log.ts'

// Posts wait meanwhile: VACUUM takes 7.5 ms per MB. At load 14 on 2 cores, a query waited 3.9 s for 112 MB.
/** The largest file, in bytes, that a server rewrites on its own. */
export const MAX_REWRITE_BYTES = 100 * 1024 * 1024

/**
 * Rewrites the SQLite file. That removes copies of rows that `secure_delete` cannot reach: SQLite leaves them behind
 * when it moves rows to another page, and pages freed by an older version still hold theirs. Blocks this thread and all
 * writers, for about 8 seconds per GB.
 */
export async function rewriteFile(db: Kysely<Schema>): Promise<void> {
  const removals = await findRemovals(db)
  await sql`vacuum`.execute(db)
  if (removals) await setRewritten(db, removals.removed)
  await truncateLog(db)
}
