import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { isStorageFailure } from '../../db/storage-failure.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import type { UnrecordedAttempt } from './attempt-runner.ts'
import { logAttempt } from './log-turn.ts'
import { giveUpRecording, isRecorded, type RecordOptions, recordAttempts } from './record-attempts.ts'

const MAX_RECORDINGS = 2

interface RecordApartOptions extends RecordOptions {
  /** Keeps an attempt for the next try. */
  keep: (attempt: UnrecordedAttempt) => void
  logError: (error: unknown, message: string) => void
  logger: Log
}

/**
 * Records attempts one at a time, so that one that can't be recorded doesn't block the others; after two tries its
 * delivery fails. While the storage is unavailable, all are kept.
 */
export async function recordApart(
  db: Kysely<Schema>,
  finished: readonly UnrecordedAttempt[],
  options: RecordApartOptions,
): Promise<void> {
  let isAway = false
  for (const one of finished) {
    if (isAway) options.keep(one)
    else
      await recordOne(db, one, options).catch((error) => {
        isAway = isStorageFailure(error)
        options.logError(error, logTexts.attemptNotRecorded)
        options.keep(isAway ? one : { ...one, recordings: one.recordings + 1 })
      })
  }
}

function recordOne(db: Kysely<Schema>, one: UnrecordedAttempt, options: RecordApartOptions) {
  return db.transaction().execute(async (trx) => {
    // Recorded by a commit whose answer was lost.
    if (await isRecorded(trx, one)) return
    if (one.recordings >= MAX_RECORDINGS) return giveUpRecording(trx, one, options)
    const [state] = await recordAttempts(trx, [one], options)
    if (state) logAttempt(options.logger, one, state)
  })
}
