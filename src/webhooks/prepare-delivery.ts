import type { Json } from '../lib/canonical-json.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { defaultPayload } from './default-payload.ts'
import type { DeliveryJob } from './delivery.ts'
import type { Answers, DeliveryMeta } from './delivery-meta.ts'
import { renderTemplate } from './payload-template.ts'
import { type SubmissionOrigin, submissionMeta } from './submission-meta.ts'
import type { Webhook } from './webhook.ts'
import { signingSecretPlace } from './webhook-store.ts'

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

interface PrepareOptions {
  secretBox: SecretBox
  siteUrl: string
}

/**
 * Renders the body of a first attempt (later ones send the same) and opens the secret. Cancelled when the webhook was
 * deleted or switched off since the submission was accepted; failed when what is stored cannot be used.
 */
export function prepareDelivery(job: DeliveryJob, options: PrepareOptions): Preparation {
  const { webhook, submission, answers } = job
  if (!webhook || !submission) return cancelled(job, 'The webhook was deleted')
  if (!webhook.enabled) return cancelled(job, 'The webhook was switched off')
  if (!answers) return failed(job, 'The answers of the submission cannot be read')
  const problem = problemOf(webhook)
  if (problem) return failed(job, problem)
  try {
    const body = bodyOf({ job, webhook, submission, answers }, options)
    return { kind: 'ready', job, webhook, body, secrets: openSecrets(webhook, options.secretBox) }
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
function problemOf({ unreadable }: Webhook): string | undefined {
  const { method, headers, payloadTemplate } = unreadable
  if (method !== undefined) return `The method of the webhook cannot be used: ${method}`
  if (headers !== undefined) return `The headers of the webhook cannot be used: ${headers}`
  if (payloadTemplate !== undefined) return `The template of the webhook cannot be read: ${payloadTemplate}`
  return undefined
}

interface Renderable {
  job: DeliveryJob
  webhook: Webhook
  submission: SubmissionOrigin
  answers: Answers
}

function bodyOf(
  { job, webhook, submission, answers }: Renderable,
  { siteUrl }: PrepareOptions,
): string | null {
  if (webhook.method === 'GET') return null
  if (job.requestBody !== null) return job.requestBody
  const meta: DeliveryMeta = {
    ...submissionMeta(submission, { siteUrl }),
    webhook_id: webhook.id,
    webhook_name: webhook.name,
    delivery_id: job.id,
  }
  return JSON.stringify(render(webhook.payloadTemplate, answers, meta))
}

function render(template: Json | null, answers: Answers, meta: DeliveryMeta): Json {
  return template === null
    ? defaultPayload({ answers, meta })
    : renderTemplate(template, { answers, meta: { ...meta } })
}

function openSecrets({ id, signingSecret }: Webhook, secretBox: SecretBox): string[] {
  return signingSecret === null ? [] : [openSecret(signingSecret, id, secretBox)]
}

function openSecret(sealed: string, webhookId: number, secretBox: SecretBox): string {
  try {
    return secretBox.open(sealed, signingSecretPlace(webhookId))
  } catch {
    throw new Error('the signing secret cannot be opened with this SECRET_KEY')
  }
}
