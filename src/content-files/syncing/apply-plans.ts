import type { Db } from '../../db/schema.ts'
import { reconcileLocationServices } from '../../entries/offers/offer-service.ts'
import { silentProgress } from '../../lib/progress.ts'
import { applyChanges } from './apply-changes.ts'
import { isHeld, isKept, type PathPlan } from './plan-paths.ts'
import { recordBases } from './record-bases.ts'
import { putReturnedBack } from './returned-rows.ts'
import type { SyncOptions } from './sync-options.ts'

/** The changes of a sync, as paths inside the content folder. */
export interface SyncChanges {
  added: string[]
  changed: string[]
  removed: string[]
  /** Rows that stay as they are in the admin, including deleted ones. */
  kept: string[]
  locationServices: { added: number; removed: number }
}

/**
 * Changes the rows according to the plans, and records the result for the next sync. Call it inside a transaction.
 */
export async function applyPlans(
  db: Db,
  plans: readonly PathPlan[],
  options: SyncOptions,
): Promise<SyncChanges> {
  const { environment, secretBox, progress = silentProgress } = options
  const now = options.now.toISOString()
  const planned = plans.flatMap(
    ({ decision, file, merged }) => merged ?? (decision === 'write' && file ? file : []),
  )
  const written = await putReturnedBack(db, { plans, written: planned }, { now, by: { source: 'file' } })
  const removed = plans.flatMap(({ decision, row }) => (decision === 'remove' && row ? [row.document] : []))
  await applyChanges(db, { written, removed }, { environment, secretBox, now, progress })
  const locationServices = await reconcileLocationServices(db, { now })
  const settled = plans.filter((plan) => !isHeld(plan))
  await recordBases(db, settled, { secretBox, now })
  progress.finish()
  return { ...summarize(plans), locationServices }
}

function summarize(plans: readonly PathPlan[]): Omit<SyncChanges, 'locationServices'> {
  const paths = (chosen: (plan: PathPlan) => boolean) => plans.filter(chosen).map(({ path }) => path)
  return {
    added: paths(({ decision, row }) => decision === 'write' && !row),
    changed: paths(
      ({ decision, row }) => decision === 'merge' || (decision === 'write' && row !== undefined),
    ),
    removed: paths(({ decision }) => decision === 'remove'),
    kept: paths((plan) => isKept(plan) && plan.file !== undefined),
  }
}

/** Counts the rows that a sync changed. */
export function countChanges({ added, changed, removed, locationServices }: SyncChanges): number {
  return [added, changed, removed].flat().length + locationServices.added + locationServices.removed
}
