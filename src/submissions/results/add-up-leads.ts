import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { addLeads, listLeadChanges, takeLeadChanges } from './lead-count-store.ts'
import { firstWithin } from './result-keys.ts'

const BATCH = 500
/** A step holds the event loop for about this long: SQLite works on the thread that serves visitors. */
const STEP_MS = 15
const FIRST_SUMS = 100
const FEWEST_SUMS = 20
const MOST_SUMS = 2_000

/**
 * Adds changes of leads to the sums that reports read. Each step is one transaction, so that each change counts
 * exactly once, even after a kill. Reports include changes that haven't been added yet.
 */
export async function addUpLeads(
  db: Kysely<Schema>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  let sums = FIRST_SUMS
  for (let isDone = false; !isDone && !signal?.aborted; ) {
    const before = performance.eventLoopUtilization()
    isDone = await addSome(db, sums)
    const { active } = performance.eventLoopUtilization(before)
    // Doubles at most: the next pages of the table may be on the disk.
    const next = sums * Math.min(2, STEP_MS / active)
    sums = Math.round(Math.min(Math.max(next, FEWEST_SUMS), MOST_SUMS))
    await nextTurn()
  }
}

// Changes of one page are few sums, those of many pages many: the sums take the time. Returns whether none is left.
function addSome(db: Kysely<Schema>, mostSums: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const changes = await listLeadChanges(trx, { limit: BATCH })
    const some = firstWithin(changes, mostSums)
    const taken = await takeLeadChanges(
      trx,
      some.map(({ id }) => id),
    )
    await addLeads(trx, taken)
    return changes.length < BATCH && some.length === changes.length
  })
}
