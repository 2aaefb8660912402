import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { addLeads, takeLeadChanges } from './lead-count-store.ts'

const BATCH = 500

/**
 * Adds changes of leads to the sums that reports read. Each step is one transaction, so that each change counts
 * exactly once, even after a kill. Reports include changes that haven't been added yet.
 */
export async function addUpLeads(
  db: Kysely<Schema>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  while (!signal?.aborted && (await addBatch(db)) === BATCH) await nextTurn()
}

function addBatch(db: Kysely<Schema>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const changes = await takeLeadChanges(trx, { limit: BATCH })
    await addLeads(trx, changes)
    return changes.length
  })
}
