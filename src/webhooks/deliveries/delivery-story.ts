import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import type { ConditionTrace } from '../../messages/admin/webhooks/conditions.ts'
import { findFormOrigin } from '../body/submission-subject-store.ts'
import { findWebhook } from '../definition/webhook-store.ts'
import { judgeToday } from '../replays/judge-today.ts'
import { type LoggedAttempt, listAttempts } from './attempt-store.ts'
import { type DeliveryRecord, findDelivery } from './delivery-log-store.ts'
import { listDeliveriesOf, type OffWebhook } from './delivery-story-store.ts'

const MOST_SHOWN = 50

/** The story of a delivery: each request with its response, or why nothing was sent. */
export interface DeliveryStory {
  delivery: DeliveryRecord
  /** Undefined when the form was deleted. */
  formSlug: string | undefined
  /** The exact body of every attempt; null before the first, and for a method without one. */
  body: string | null
  attempts: LoggedAttempt[]
  /**
   * The condition, rule by rule: `kept` from the time of the decision, or `recomputed` from today's condition and the
   * stored answers. Null when there is no condition, or nothing left to judge it by.
   */
  trace: { source: 'kept' | 'recomputed'; trace: ConditionTrace } | null
}

/** Returns the story of a delivery; undefined when the delivery does not exist. */
export async function getDeliveryStory(
  db: Db,
  deliveryId: number,
  { siteUrl, scope }: { siteUrl: string; scope: LeadScope },
): Promise<DeliveryStory | undefined> {
  const found = await findDelivery(db, deliveryId, scope)
  if (!found) return undefined
  const { body, ...delivery } = found
  const { trace: kept } = delivery
  const recomputed = kept === null ? await recomputeTrace(db, delivery, siteUrl) : null
  const attempts = await listAttempts(db, deliveryId)
  const { slug: formSlug } =
    (delivery.formId === null ? undefined : await findFormOrigin(db, delivery.formId)) ?? {}
  const story = { delivery, body, attempts, formSlug }
  if (kept) return { ...story, trace: { source: 'kept', trace: kept } }
  return { ...story, trace: recomputed && { source: 'recomputed', trace: recomputed } }
}

/**
 * The stories of a submission's latest deliveries, oldest first, without traces of what fired; and its form's webhooks
 * that are off and have none of these.
 */
export async function listDeliveryStories(
  db: Db,
  submission: { id: number; formId: number | null },
  scope: LeadScope,
): Promise<{ stories: Omit<DeliveryStory, 'body' | 'formSlug'>[]; off: OffWebhook[] }> {
  const { deliveries, off } = await listDeliveriesOf(db, submission, { scope, limit: MOST_SHOWN })
  const stories = deliveries.map(({ attempts, ...delivery }) => ({
    ...{ delivery, attempts },
    trace: delivery.trace && { source: 'kept' as const, trace: delivery.trace },
  }))
  return { stories, off }
}

async function recomputeTrace(db: Db, { submissionId, webhookId, isTest }: DeliveryRecord, siteUrl: string) {
  if (submissionId === null || webhookId === null || isTest) return null
  const webhook = await findWebhook(db, webhookId)
  const verdict = webhook && (await judgeToday(db, webhook, submissionId, { siteUrl }))
  return verdict?.trace ?? null
}
