import type { Log } from '../../lib/log.ts'
import { describeReason } from '../../messages/admin/webhooks/reasons.ts'
import { logTexts } from '../../messages/server/log.ts'
import type { DeliveryState } from './delivery-queue-store.ts'
import type { FinishedAttempt } from './record-attempts.ts'
import type { Turn } from './take-turn.ts'

/** Logs the attempts of a turn, and the webhooks that can't be sent. */
export function logTurn(
  logger: Log,
  { states, blocked }: Pick<Turn, 'states' | 'blocked'>,
  finished: readonly FinishedAttempt[],
): void {
  for (const [index, one] of finished.entries()) {
    const state = states[index]
    if (state) logAttempt(logger, one, state)
  }
  for (const [webhookId, reason] of blocked)
    logger.error({ webhookId, problem: describeReason(reason) }, logTexts.deliveriesBlocked)
}

/** Logs the outcome of an attempt. */
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
    logger.info(about, logTexts.webhookDelivered)
    return
  }
  const { status, nextAttemptAt } = state
  const details = { ...about, failureKind: attempt.failureKind, status, nextAttemptAt }
  logger.warn(details, logTexts.attemptFailed)
}
