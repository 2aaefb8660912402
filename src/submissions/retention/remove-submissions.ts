import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../db/schema.ts'
import type { FileStore } from '../../files/file-store.ts'
import { removeUploadFiles } from '../uploads/upload-sweep.ts'
import { deleteSubmissions, listOldestSubmissionIds } from './retention-store.ts'

/**
 * Maximum time that one step may block the event loop, and the next number of submissions, based on the time of the
 * last step.
 */
const STEP_MS = 10
const FIRST_STEP = 10
const MAX_STEP = 100

/**
 * Deletes a form's submissions with their files, deliveries, attempts, and emails: those sent before that time (UTC
 * text), or all. Works in small steps that yield to the event loop, and stops when `signal` aborts; returns the
 * number deleted.
 */
export async function removeSubmissions(
  db: Db,
  formId: number,
  { before, files, signal }: { before?: string; files: FileStore; signal?: AbortSignal | undefined },
): Promise<number> {
  let removed = 0
  let step = FIRST_STEP
  for (;;) {
    const ids = await listOldestSubmissionIds(db, formId, { before, limit: step })
    if (ids.length === 0 || signal?.aborted) return removed
    await removeUploadFiles(db, ids, { files })
    await nextTurn()
    const startedAt = performance.now()
    await deleteSubmissions(db, ids)
    step = nextStep(step, performance.now() - startedAt)
    removed += ids.length
    await nextTurn()
  }
}

// A submission with many deliveries takes a hundred times as long as one without.
function nextStep(step: number, tookMs: number): number {
  if (tookMs > STEP_MS) return Math.max(1, Math.floor(step / 2))
  return tookMs < STEP_MS / 4 ? Math.min(step * 2, MAX_STEP) : step
}
