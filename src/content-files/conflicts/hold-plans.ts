import type { Db } from '../../db/schema.ts'
import { listContentTypes } from '../../entries/types/content-type-store.ts'
import { conflictReasons } from '../../messages/files/conflicts.ts'
import type { ParsedFile } from '../parsing/parsed-file.ts'
import type { ReadPictures } from '../parsing/read-pictures.ts'
import { isHeld, type PathPlan } from '../syncing/plan-paths.ts'
import { holdDependents, isChange, waitingPlan } from './hold-dependents.ts'

interface Holding {
  files: readonly ParsedFile[]
  pictures: ReadPictures
  /** All others wait. */
  asked: ReadonlySet<string> | undefined
  /** Paths of files whose addresses conflicts still have. */
  held: ReadonlySet<string>
}

/** The plans without changes of files that wait: for a conflict, or because nobody asked for them. */
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
  return holdDependents(chosen, { files, pictures: pictures.names, types })
}

/** The pictures of a folder, with those that the rows of conflicts show. */
export function withHeldPictures(pictures: ReadPictures, plans: readonly PathPlan[]): ReadPictures {
  const shown = plans.filter(isHeld).flatMap(({ row }) => {
    if (row?.document.kind === 'entry') return row.document.fields.picture ?? []
    return row?.document.kind === 'site' ? (row.document.settings.logo ?? []) : []
  })
  return { ...pictures, names: new Set([...pictures.names, ...shown.map(String)]) }
}
