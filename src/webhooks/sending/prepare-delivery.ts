import type { DeliveryReason } from '../../messages/admin/webhooks/reasons.ts'
import { renderBody } from '../body/render-body.ts'
import type { Origins } from '../body/submission-meta.ts'
import type { Webhook } from '../definition/webhook.ts'
import type { DeliveryJob } from '../deliveries/delivery.ts'
import type { Readiness, SendableWebhook } from './sendable-webhook.ts'

/** A delivery that is ready to be sent. */
export interface PreparedDelivery {
  job: DeliveryJob
  sendable: SendableWebhook
  /** Null for a method without a body. */
  body: string | null
}

export type Preparation =
  | ({ kind: 'ready' } & PreparedDelivery)
  | { kind: 'cancelled' | 'failed' | 'blocked'; job: DeliveryJob; reason: DeliveryReason }

/**
 * Renders the body of a first attempt; later ones send the same. Canceled if the webhook was deleted (undefined), or
 * turned off since the submission was accepted; failed if the stored definition is invalid.
 */
export function prepareDelivery(
  job: DeliveryJob,
  readiness: Readiness | undefined,
  origins: Origins,
): Preparation {
  if (!readiness) return { kind: 'cancelled', job, reason: { code: 'webhook_deleted' } }
  const { webhook } = readiness
  if (!webhook.enabled && !job.isTest) return { kind: 'cancelled', job, reason: { code: 'webhook_off' } }
  if (readiness.kind === 'unusable') return { kind: 'failed', job, reason: readiness.reason }
  if (readiness.kind === 'blocked') return { kind: 'blocked', job, reason: readiness.reason }
  const reason = problemWithSubject(job, webhook)
  if (reason !== undefined) return { kind: 'failed', job, reason }
  return { kind: 'ready', job, sendable: readiness.sendable, body: bodyOf(job, webhook, origins) }
}

function problemWithSubject(
  { submission, answers, requestBody }: DeliveryJob,
  { method }: Webhook,
): DeliveryReason | undefined {
  if (method === 'GET' || requestBody !== null) return undefined
  if (!submission) return { code: 'form_deleted' }
  return answers ? undefined : { code: 'answers_unreadable' }
}

function bodyOf(job: DeliveryJob, webhook: Webhook, { siteUrl, adminUrl }: Origins): string | null {
  const { submission, answers, choices, isTest, requestBody } = job
  if (webhook.method === 'GET') return null
  if (requestBody !== null || !submission || !answers || !choices) return requestBody
  return renderBody(
    { webhook, submission, answers, choices },
    { siteUrl, adminUrl, deliveryId: job.id, isTest },
  )
}
