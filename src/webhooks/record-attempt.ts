import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { DeliveryJob } from './delivery.ts'
import { type DeliveryState, insertAttempt, settleClaim } from './delivery-store.ts'
import { nextAttemptAt, parseRetryAfter } from './retry-schedule.ts'
import type { Attempt } from './send-attempt.ts'
import type { Webhook } from './webhook.ts'
import { disableWebhook } from './webhook-store.ts'

const GONE = 410

export interface RecordOptions {
  now: Date
  random: () => number
  retryScheduleMs: readonly number[]
}

/**
 * Writes an attempt and what follows from it in one transaction: delivered, pending with the next moment, or failed
 * when `max_retries` are used up. 410 fails at once and switches the webhook off. Returns the new state; the delivery
 * keeps its own when the claim was lost meanwhile.
 */
export async function recordAttempt(
  db: Kysely<Schema>,
  { job, webhook }: { job: DeliveryJob; webhook: Webhook },
  attempt: Attempt,
  options: RecordOptions,
): Promise<DeliveryState> {
  const state = stateAfter(job, webhook, attempt, options)
  await db.transaction().execute(async (trx) => {
    const row = { deliveryId: job.id, attemptNumber: state.attemptCount, url: webhook.url }
    await insertAttempt(trx, row, attempt)
    await settleClaim(trx, job, state)
    if (attempt.status === GONE) await disableWebhook(trx, webhook.id)
  })
  return state
}

function stateAfter(
  job: DeliveryJob,
  webhook: Webhook,
  attempt: Attempt,
  options: RecordOptions,
): DeliveryState {
  const attemptCount = job.attemptCount + 1
  const finished = { attemptCount, nextAttemptAt: null, finishedAt: options.now }
  if (attempt.kind === 'delivered') return { ...finished, status: 'delivered', outcomeReason: null }
  if (attempt.status === GONE) {
    return { ...finished, status: 'failed', outcomeReason: 'HTTP 410: the webhook was switched off' }
  }
  if (attemptCount > webhook.maxRetries) {
    const outcomeReason = `${attemptCount} attempts failed, the last with: ${attempt.message}`
    return { ...finished, status: 'failed', outcomeReason }
  }
  const retryAt = retryMoment(attemptCount, attempt, options)
  return { status: 'pending', attemptCount, nextAttemptAt: retryAt, outcomeReason: null, finishedAt: null }
}

function retryMoment(attemptCount: number, attempt: Attempt, options: RecordOptions): Date {
  const retryAfterMs = parseRetryAfter(attempt.responseHeaders?.['retry-after'], options)
  return nextAttemptAt(options.retryScheduleMs, attemptCount, { ...options, retryAfterMs })
}
