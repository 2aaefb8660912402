import type { DeliveryJob } from './delivery.ts'
import type { DeliveryState } from './delivery-queue-store.ts'
import { nextAttemptAt, parseRetryAfter } from './retry-schedule.ts'
import type { Attempt } from './send-attempt.ts'
import type { Webhook } from './webhook.ts'

const GONE = 410

export interface OutcomeOptions {
  now: Date
  random: () => number
  retryScheduleMs: readonly number[]
}

/**
 * What an attempt makes of its delivery (contract §6): delivered, pending with the next moment, or failed when the
 * retries are used up. 410 fails at once. A test is one attempt.
 */
export function stateAfter(
  { job, webhook }: { job: DeliveryJob; webhook: Webhook },
  attempt: Attempt,
  options: OutcomeOptions,
): DeliveryState {
  const attemptCount = job.attemptCount + 1
  const finished = { attemptCount, nextAttemptAt: null, finishedAt: options.now }
  if (attempt.kind === 'delivered') return { ...finished, status: 'delivered', outcomeReason: null }
  if (job.isTest)
    return { ...finished, status: 'failed', outcomeReason: `The test failed: ${attempt.message}` }
  if (isGone(attempt)) {
    return { ...finished, status: 'failed', outcomeReason: 'HTTP 410: the webhook was switched off' }
  }
  if (attemptCount > webhook.maxRetries) {
    const attempts =
      attemptCount === 1 ? 'The only attempt failed' : `${attemptCount} attempts failed, the last`
    return { ...finished, status: 'failed', outcomeReason: `${attempts} with: ${attempt.message}` }
  }
  const retryAt = retryMoment(attemptCount, attempt, options)
  return { status: 'pending', attemptCount, nextAttemptAt: retryAt, outcomeReason: null, finishedAt: null }
}

/** Whether the receiver says that it is gone for good. */
export function isGone(attempt: Attempt): boolean {
  return attempt.status === GONE
}

function retryMoment(attemptCount: number, attempt: Attempt, options: OutcomeOptions): Date {
  const retryAfterMs = parseRetryAfter(attempt.responseHeaders?.['retry-after'], options)
  return nextAttemptAt(options.retryScheduleMs, attemptCount, { ...options, retryAfterMs })
}
