import type { Db } from '../../db/schema.ts'
import { listContentTypes } from '../../entries/types/content-type-store.ts'
import { conflictReasons } from '../../messages/files/conflicts.ts'
import type { ParsedFile } from '../parsing/parsed-file.ts'
import type { PathPlan } from '../syncing/plan-paths.ts'
import { holdDependents, isChange, waitingPlan } from './hold-dependents.ts'

interface Holding {
  files: readonly ParsedFile[]
  /** Names of the files of `pictures/`. */
  pictures: ReadonlySet<string>
  /** All others wait. */
  asked: ReadonlySet<string> | undefined
  /** Paths of files whose addresses are still used by conflicts. */
  held: ReadonlySet<string>
}

/** Returns the plans, without changes to files that wait: for a conflict, or because nobody asked for them. */
export async function holdPlans(
  db: Db,
  plans: readonly PathPlan[],
  { files, pictures, asked, held }: Holding,
): Promise<PathPlan[]> {
  const types = await listContentTypes(db)
  const chosen = plans.map((plan) => {
    const { path } = plan
    if (held.has(path)) return waitingPlan(plan, conflictReasons.address)
    return asked && !asked.has(path) && isChange(plan) ? waitingPlan(plan, conflictReasons.nextSync) : plan
  })
  return holdDependents(chosen, { files, pictures, types })
}
