import type { DeliveryReason } from '../../messages/admin/webhooks/reasons.ts'
import type { Webhook } from '../definition/webhook.ts'
import type { DeliveryJob } from '../deliveries/delivery.ts'
import type { Attempt } from '../sending/send-attempt.ts'
import type { DeliveryState } from './delivery-queue-store.ts'
import { nextAttemptAt, parseRetryAfter } from './retry-schedule.ts'

const GONE = 410

export interface OutcomeOptions {
  now: Date
  random: () => number
  retryScheduleMs: readonly number[]
}

/**
 * Returns the state of a delivery after an attempt (contract §6): delivered, pending with the time of the next
 * attempt, or failed once the retries are used up. 410 fails at once. A test has one attempt.
 */
export function stateAfter(
  { job, webhook }: { job: DeliveryJob; webhook: Webhook },
  attempt: Attempt,
  options: OutcomeOptions,
): DeliveryState {
  const attemptCount = job.attemptCount + 1
  const finished = { attemptCount, nextAttemptAt: null, finishedAt: options.now }
  const failed = (reason: DeliveryReason) => ({ ...finished, status: 'failed' as const, reason })
  if (attempt.kind === 'delivered') return { ...finished, status: 'delivered', reason: null }
  if (job.isTest) return failed({ code: 'test_failed', params: { message: attempt.message } })
  if (isGone(attempt)) return failed({ code: 'gone' })
  if (attemptCount > webhook.maxRetries)
    return failed({ code: 'attempts_failed', params: { attempts: attemptCount, message: attempt.message } })
  const retryAt = retryMoment(attemptCount, attempt, options)
  return { status: 'pending', attemptCount, nextAttemptAt: retryAt, reason: null, finishedAt: null }
}

/** Returns whether the receiver is permanently gone (410). */
export function isGone(attempt: Attempt): boolean {
  return attempt.status === GONE
}

function retryMoment(attemptCount: number, attempt: Attempt, options: OutcomeOptions): Date {
  const retryAfterMs = parseRetryAfter(attempt.responseHeaders?.['retry-after'], options)
  return nextAttemptAt(options.retryScheduleMs, attemptCount, { ...options, retryAfterMs })
}
