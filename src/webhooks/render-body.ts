import type { Json } from '../lib/canonical-json.ts'
import { defaultPayload } from './default-payload.ts'
import type { Answers, DeliveryMeta } from './delivery-meta.ts'
import { renderTemplate } from './payload-template.ts'
import { type SubmissionOrigin, submissionMeta } from './submission-meta.ts'
import type { Webhook } from './webhook.ts'

interface Renderable {
  webhook: Webhook
  submission: SubmissionOrigin
  answers: Answers
}

/** The body of a delivery, in the form that is sent (contract §6). Null for a method without a body. */
export function renderBody(
  { webhook, submission, answers }: Renderable,
  { siteUrl, deliveryId, isTest }: { siteUrl: string; deliveryId: number; isTest: boolean },
): string | null {
  if (webhook.method === 'GET') return null
  const meta: DeliveryMeta = {
    ...submissionMeta(submission, { siteUrl }),
    webhook_id: webhook.id,
    webhook_name: webhook.name,
    delivery_id: deliveryId,
    is_test: isTest,
  }
  return JSON.stringify(render(webhook.payloadTemplate, answers, meta))
}

function render(template: Json | null, answers: Answers, meta: DeliveryMeta): Json {
  return template === null
    ? defaultPayload({ answers, meta })
    : renderTemplate(template, { answers, meta: { ...meta } })
}
