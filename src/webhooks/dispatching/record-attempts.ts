import type { Db } from '../../db/schema.ts'
import type { DeliveryReason } from '../../messages/admin/webhooks/reasons.ts'
import { listSpamAmong } from '../body/submission-subject-store.ts'
import {
  beginFailing,
  disableWebhook,
  endFailing,
  listFailingSince,
} from '../definition/webhook-health-store.ts'
import { listWebhookRows } from '../definition/webhook-store.ts'
import { hasAttempt, insertAttempts, type NewAttempt } from '../deliveries/attempt-store.ts'
import type { DeliveryJob } from '../deliveries/delivery.ts'
import type { ShownRequest } from '../sending/delivery-request.ts'
import type { PreparedDelivery } from '../sending/prepare-delivery.ts'
import type { Attempt } from '../sending/send-attempt.ts'
import { type ClaimEnd, settleClaims } from './delivery-claim-store.ts'
import { isGone, type OutcomeOptions, stateAfter } from './delivery-outcome.ts'
import type { DeliveryState } from './delivery-queue-store.ts'

const GIVEN_UP_AFTER_MS = 5 * 24 * 60 * 60 * 1_000

/** An attempt that was made and is not recorded yet. */
export interface FinishedAttempt {
  prepared: PreparedDelivery
  request: ShownRequest
  attempt: Attempt
}

export interface RecordOptions extends OutcomeOptions {
  /** Owner of the claims. */
  owner: string
}

/**
 * Records attempts and their consequences: 410 turns a webhook off, and so do five days of nothing but failures
 * (contract §6). Returns the new states in the order given; a delivery whose claim was lost keeps its own. Call it in a
 * transaction.
 */
export async function recordAttempts(
  db: Db,
  finished: readonly FinishedAttempt[],
  options: RecordOptions,
): Promise<DeliveryState[]> {
  const states = await statesAfter(db, finished, options)
  await insertAttempts(db, finished.map(toLogged))
  const ends = finished.map(({ prepared: { job } }, index) => toEnd(job, states[index] as DeliveryState))
  await settleClaims(db, ends, options)
  const untested = finished.filter(({ prepared }) => !prepared.job.isTest)
  await noteHealth(db, untested, options)
  return states
}

// A submission that became spam or lost its webhook during an attempt is not retried.
async function statesAfter(db: Db, finished: readonly FinishedAttempt[], options: RecordOptions) {
  const states = finished.map(({ prepared: { job, sendable }, attempt }) =>
    stateAfter({ job, webhook: sendable.webhook }, attempt, options),
  )
  const retried = finished.filter((_, index) => states[index]?.status === 'pending')
  const reasons = await findReasonsToStop(db, retried)
  return states.map((state, index) => {
    const reason = reasons.get(finished[index] as FinishedAttempt)
    return reason === undefined ? state : cancelled(state, reason, options)
  })
}

async function findReasonsToStop(db: Db, retried: readonly FinishedAttempt[]) {
  const submissionIdOf = ({ prepared: { job } }: FinishedAttempt) => job.submissionId ?? 0
  const spam = await listSpamAmong(db, retried.map(submissionIdOf))
  const rows = await listWebhookRows(db, webhookIdsOf(retried))
  const enabled = new Map(rows.map((row) => [row.id, row.enabled]))
  const reasonOf = (one: FinishedAttempt): DeliveryReason | undefined => {
    if (spam.has(submissionIdOf(one))) return { code: 'spam' }
    const isOn = enabled.get(one.prepared.sendable.webhook.id)
    if (isOn === undefined) return { code: 'webhook_deleted' }
    return isOn === 0 ? { code: 'webhook_off' } : undefined
  }
  return new Map(retried.map((one) => [one, reasonOf(one)]))
}

function cancelled(state: DeliveryState, reason: DeliveryReason, { now }: RecordOptions): DeliveryState {
  return { ...state, status: 'cancelled', nextAttemptAt: null, finishedAt: now, reason }
}

/** Returns whether a commit whose answer was lost recorded the attempt. */
export function isRecorded(db: Db, finished: FinishedAttempt): Promise<boolean> {
  return hasAttempt(db, toLogged(finished))
}

function toLogged({ prepared: { job }, request, attempt }: FinishedAttempt): NewAttempt {
  return { deliveryId: job.id, attemptNumber: job.attemptCount + 1, request, attempt }
}

function toEnd({ id, attemptCount }: DeliveryJob, state: DeliveryState): ClaimEnd {
  return { id, attemptCount, state }
}

/** Ends a delivery whose attempt cannot be recorded, so that it is not repeated forever. Call it in a transaction. */
export async function giveUpRecording(
  db: Db,
  { prepared: { job } }: FinishedAttempt,
  { owner, now }: RecordOptions,
): Promise<void> {
  const reason = { code: 'unrecorded' } as const
  const finished = { attemptCount: job.attemptCount + 1, nextAttemptAt: null, finishedAt: now }
  await settleClaims(db, [toEnd(job, { ...finished, status: 'failed', reason })], { owner })
}

async function noteHealth(db: Db, finished: readonly FinishedAttempt[], { now }: OutcomeOptions) {
  const failed = finished.filter(({ attempt }) => attempt.kind === 'failed')
  const failedIds = webhookIdsOf(failed)
  await beginFailing(db, failedIds, { now })
  await endFailing(db, webhookIdsOf(finished.filter(({ attempt }) => attempt.kind === 'delivered')))
  for (const id of webhookIdsOf(failed.filter(({ attempt }) => isGone(attempt)))) {
    await disableWebhook(db, id, { reason: { code: 'gone' }, now })
  }
  const since = new Date(now.getTime() - GIVEN_UP_AFTER_MS)
  for (const id of await listFailingSince(db, failedIds, { since })) {
    await disableWebhook(db, id, { reason: { code: 'always_failing' }, now })
  }
}

function webhookIdsOf(finished: readonly FinishedAttempt[]): number[] {
  return [...new Set(finished.map(({ prepared }) => prepared.sendable.webhook.id))]
}
