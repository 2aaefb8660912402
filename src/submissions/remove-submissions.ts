import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../db/schema.ts'
import { deleteSubmissions, listOldestSubmissionIds } from './retention-store.ts'
import { removeUploadFiles } from './upload-sweep.ts'

/** So few that a batch, with its deliveries and attempts, holds the event loop for a few milliseconds only. */
const BATCH = 20

/**
 * Removes submissions of a form with their files, deliveries, attempts and mails: those from before that moment (UTC
 * text), or all. In batches with turns of the event loop between them, and no further one when `signal` aborts; returns
 * how many.
 */
export async function removeSubmissions(
  db: Db,
  formId: number,
  { before, uploadsDir, signal }: { before?: string; uploadsDir: string; signal?: AbortSignal | undefined },
): Promise<number> {
  let removed = 0
  for (;;) {
    const ids = await listOldestSubmissionIds(db, formId, { before, limit: BATCH })
    if (ids.length === 0 || signal?.aborted) return removed
    await removeUploadFiles(db, ids, { uploadsDir })
    await deleteSubmissions(db, ids)
    removed += ids.length
    await nextTurn()
  }
}
