import type { Log } from '../../lib/log.ts'
import type { DeliveryState } from '../dispatching/delivery-queue-store.ts'
import type { FinishedAttempt } from '../dispatching/record-attempts.ts'

/** Says in the program's log what became of an attempt. */
export function logAttempt(logger: Log, { prepared, attempt }: FinishedAttempt, state: DeliveryState): void {
  const { job, sendable } = prepared
  const about = {
    deliveryId: job.id,
    webhookId: sendable.webhook.id,
    attempt: state.attemptCount,
    httpStatus: attempt.status,
    durationMs: attempt.durationMs,
  }
  if (attempt.kind === 'delivered') {
    logger.info(about, 'webhook delivered')
    return
  }
  const { status, nextAttemptAt } = state
  const details = { ...about, failureKind: attempt.failureKind, status, nextAttemptAt }
  logger.warn(details, 'webhook attempt failed')
}
