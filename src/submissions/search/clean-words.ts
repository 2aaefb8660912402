import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { rewriteWords } from './search-store.ts'

/** So that visitors have most of the time. */
const REST = 2

/**
 * Removes the words of removed submissions and notes from the search index, which only marks them as removed at first.
 * In small steps with rests between them; returns false when `signal` ended it early. Bring the index up to date first.
 */
export async function cleanWords(
  db: Kysely<Schema>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<boolean> {
  for (let isFirst = true; !signal?.aborted; isFirst = false) {
    const startedAt = performance.now()
    if (!(await db.transaction().execute((trx) => rewriteWords(trx, { isFirst })))) return true
    await delay((performance.now() - startedAt) * REST)
  }
  return false
}
