import type { SecretBox } from '../lib/secret-box.ts'
import type { DeliveryJob } from './delivery.ts'
import { renderBody } from './render-body.ts'
import { openSecrets } from './signing-secrets.ts'
import type { Webhook } from './webhook.ts'

/** A delivery that can be sent as it is. */
export interface PreparedDelivery {
  job: DeliveryJob
  webhook: Webhook
  /** Null for a method without a body. */
  body: string | null
  /** In clear, the newest first. */
  secrets: string[]
}

export type Preparation =
  | ({ kind: 'ready' } & PreparedDelivery)
  | { kind: 'cancelled' | 'failed'; job: DeliveryJob; reason: string }

export interface PrepareOptions {
  secretBox: SecretBox
  siteUrl: string
  now: Date
}

/**
 * Renders the body of a first attempt (later ones send the same) and opens the secrets. Cancelled when the webhook was
 * deleted or switched off since the submission was accepted; failed when what is stored cannot be used.
 */
export function prepareDelivery(job: DeliveryJob, options: PrepareOptions): Preparation {
  const { webhook } = job
  if (!webhook) return cancelled(job, 'The webhook was deleted')
  if (!webhook.enabled && !job.isTest) return cancelled(job, 'The webhook was switched off')
  const problem = problemOf(webhook) ?? problemWithSubject(job, webhook)
  if (problem) return failed(job, problem)
  try {
    const body = bodyOf(job, webhook, options)
    return { kind: 'ready', job, webhook, body, secrets: openSecrets(webhook, options) }
  } catch (error) {
    return failed(job, `The request cannot be made: ${error instanceof Error ? error.message : error}`)
  }
}

function cancelled(job: DeliveryJob, reason: string): Preparation {
  return { kind: 'cancelled', job, reason }
}

function failed(job: DeliveryJob, reason: string): Preparation {
  return { kind: 'failed', job, reason }
}

// An unreadable condition was judged when the submission was accepted; it says nothing about sending.
export function problemOf({ unreadable }: Webhook): string | undefined {
  const { method, headers, payloadTemplate } = unreadable
  if (method !== undefined) return `The method of the webhook cannot be used: ${method}`
  if (headers !== undefined) return `The headers of the webhook cannot be used: ${headers}`
  if (payloadTemplate !== undefined) return `The template of the webhook cannot be read: ${payloadTemplate}`
  return undefined
}

function problemWithSubject({ submission, answers, requestBody }: DeliveryJob, { method }: Webhook) {
  if (method === 'GET' || requestBody !== null) return undefined
  if (!submission) return 'The form of the submission was deleted'
  return answers ? undefined : 'The answers of the submission cannot be read'
}

function bodyOf(job: DeliveryJob, webhook: Webhook, { siteUrl }: PrepareOptions): string | null {
  const { submission, answers, isTest, requestBody } = job
  if (webhook.method === 'GET') return null
  if (requestBody !== null || !submission || !answers) return requestBody
  return renderBody({ webhook, submission, answers }, { siteUrl, deliveryId: job.id, isTest })
}
