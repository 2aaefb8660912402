import { canonicalJson, sha256Hex } from '../../lib/canonical-json.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { conflictReasons } from '../../messages/files/conflicts.ts'
import { sealDocument } from '../base-documents.ts'
import { isHeld, type PathPlan } from '../syncing/plan-paths.ts'
import { ABSENT } from '../syncing/plan-sync.ts'
import type { StoredConflict } from './conflict-store.ts'

/** A file that a sync left out, and why. */
export interface Conflict {
  path: string
  message: string
}

/** Lists the conflicts among these plans, or the files that depend on them. */
export function conflictsOf(plans: readonly PathPlan[], decision: 'conflict' | 'wait'): Conflict[] {
  return plans.flatMap((plan) =>
    plan.decision === decision ? { path: plan.path, message: describe(plan) } : [],
  )
}

/** Returns the same in the form to store until they are resolved. */
export function toStoredConflicts(
  plans: readonly PathPlan[],
  { secretBox, now }: { secretBox: SecretBox; now: string },
): StoredConflict[] {
  return plans.filter(isHeld).map((plan) => ({
    path: plan.path,
    kind: plan.decision === 'conflict' ? 'conflict' : 'waiting',
    message: describe(plan),
    file: plan.file ? sealDocument(plan.file, secretBox) : null,
    row: plan.row ? sealDocument(plan.row.document, secretBox) : null,
    version: versionOf(plan),
    foundAt: now,
  }))
}

/** Returns a text that changes when either side of a path does. */
export function versionOf({ file, row }: Pick<PathPlan, 'file' | 'row'>): string {
  return sha256Hex(`${canonicalJson(file ?? null)} ${row?.sha256 ?? ABSENT}`)
}

function describe({ file, row, reason }: PathPlan): string {
  if (reason) return reason
  if (!file) return conflictReasons.fileDeleted
  if (!row) return conflictReasons.rowDeleted
  return conflictReasons.both
}
