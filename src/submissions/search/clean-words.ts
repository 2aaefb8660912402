import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { rewriteWords } from './search-store.ts'

/** Leaves most of the time to visitors. */
const REST = 2

/**
 * Purges the words of deleted submissions and notes from the search index, where deleting only marks them at first.
 * Works in small steps with pauses; returns false if `signal` stopped it. Bring the index up to date first.
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
