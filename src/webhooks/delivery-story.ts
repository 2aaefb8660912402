import type { Db } from '../db/schema.ts'
import { type LoggedAttempt, listAttempts } from './attempt-store.ts'
import { type DeliveryRecord, findDelivery } from './delivery-log-store.ts'
import type { ConditionTrace } from './evaluate-condition.ts'
import { judgeWebhook } from './plan-deliveries.ts'
import { submissionMeta } from './submission-meta.ts'
import { findSubject } from './submission-subject-store.ts'
import { findWebhook } from './webhook-store.ts'

/** What we sent, when, and what the receiver said; or why nothing was sent. */
export interface DeliveryStory {
  delivery: DeliveryRecord
  /** The exact body of every attempt; null before the first, and for a method without one. */
  body: string | null
  attempts: LoggedAttempt[]
  /**
   * The condition rule by rule: `kept` when it was decided, or `recomputed` from today's condition and the stored
   * answers. Null when there is no condition, or nothing to judge it by any more.
   */
  trace: { source: 'kept' | 'recomputed'; trace: ConditionTrace } | null
}

/** Undefined when there is no such delivery. */
export async function getDeliveryStory(
  db: Db,
  deliveryId: number,
  { siteUrl }: { siteUrl: string },
): Promise<DeliveryStory | undefined> {
  const found = await findDelivery(db, deliveryId)
  if (!found) return undefined
  const { body, trace: kept, ...delivery } = found
  const recomputed = kept === null ? await recomputeTrace(db, delivery, siteUrl) : null
  const attempts = await listAttempts(db, deliveryId)
  if (kept) return { delivery, body, attempts, trace: { source: 'kept', trace: kept } }
  return { delivery, body, attempts, trace: recomputed && { source: 'recomputed', trace: recomputed } }
}

async function recomputeTrace(db: Db, { submissionId, webhookId, isTest }: DeliveryRecord, siteUrl: string) {
  if (submissionId === null || webhookId === null || isTest) return null
  const subject = await findSubject(db, submissionId)
  const webhook = await findWebhook(db, webhookId)
  if (!subject?.answers || !webhook) return null
  const { submission, answers } = subject
  return judgeWebhook(webhook, { answers, meta: submissionMeta(submission, { siteUrl }) }).trace
}
