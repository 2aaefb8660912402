import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { isConstraintViolation, isStorageFailure } from '../../db/storage-failure.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { hasDelivery } from '../deliveries/delivery-store.ts'
import type { UnrecordedAttempt } from './attempt-runner.ts'
import { logAttempt } from './log-turn.ts'
import { giveUpRecording, isRecorded, type RecordOptions, recordAttempts } from './record-attempts.ts'

const MAX_RECORDINGS = 2

interface RecordApartOptions extends RecordOptions {
  /** Keeps an attempt for the next try. */
  keep: (attempt: UnrecordedAttempt) => void
  logError: (error: unknown, message: string) => void
  /** The error that kept the attempts from being recorded together. */
  cause: unknown
  logger: Log
}

/**
 * Records attempts one at a time, so that one that can't be recorded doesn't block the others; after two tries its
 * delivery fails. While the storage is unavailable, all are kept. Throws the cause, unless a deleted lead explains it.
 */
export async function recordApart(
  db: Kysely<Schema>,
  finished: readonly UnrecordedAttempt[],
  options: RecordApartOptions,
): Promise<undefined> {
  let [isAway, gone] = [false, 0]
  for (const one of finished) {
    if (isAway) options.keep(one)
    else
      await recordOne(db, one, options).then(
        (isGone) => {
          gone += Number(isGone)
        },
        (error) => {
          isAway = isStorageFailure(error)
          options.logError(error, logTexts.attemptNotRecorded)
          options.keep(isAway ? one : { ...one, recordings: one.recordings + 1 })
        },
      )
  }
  if (options.cause && !(gone > 0 && isConstraintViolation(options.cause))) throw options.cause
}

// Returns true if the delivery is gone: its lead was deleted in the meantime.
function recordOne(
  db: Kysely<Schema>,
  one: UnrecordedAttempt,
  options: RecordApartOptions,
): Promise<boolean> {
  const deliveryId = one.prepared.job.id
  return db.transaction().execute(async (trx) => {
    if (!(await hasDelivery(trx, deliveryId))) {
      options.logger.info({ deliveryId }, logTexts.deliveryGone)
      return true
    }
    // Recorded by a commit whose answer was lost.
    if (await isRecorded(trx, one)) return false
    if (one.recordings >= MAX_RECORDINGS) {
      await giveUpRecording(trx, one, options)
      return false
    }
    const [state] = await recordAttempts(trx, [one], options)
    if (state) logAttempt(options.logger, one, state)
    return false
  })
}
