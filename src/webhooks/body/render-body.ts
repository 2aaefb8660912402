import type { Json } from '../../lib/canonical-json.ts'
import { onceFor } from '../../lib/once-for.ts'
import { type Choices, labelsOf } from '../../templates/choice-labels.ts'
import type { Answers, DeliveryMeta } from '../../templates/meta.ts'
import { parseTemplate } from '../../templates/payload-template.ts'
import type { Webhook } from '../definition/webhook.ts'
import { type MetaSource, type Origins, submissionMeta } from './submission-meta.ts'

interface Renderable {
  webhook: Webhook
  submission: MetaSource
  answers: Answers
  /** The labels that the form had when it was answered. */
  choices: Choices
}

/** The body of a delivery, in the form that is sent (contract §6). Null for a method without a body. */
export function renderBody(
  { webhook, submission, answers, choices }: Renderable,
  { deliveryId, isTest, ...origins }: Origins & { deliveryId: number; isTest: boolean },
): string | null {
  if (webhook.method === 'GET') return null
  const meta: DeliveryMeta = {
    ...submissionMeta(submission, origins),
    webhook_id: webhook.id,
    webhook_name: webhook.name,
    delivery_id: deliveryId,
    is_test: isTest,
  }
  return JSON.stringify(render(webhook, { answers, choices, meta }))
}

interface Filling {
  answers: Answers
  choices: Choices
  meta: DeliveryMeta
}

function render(webhook: Webhook, { answers, choices, meta }: Filling): Json {
  const template = templateOf(webhook)
  return template
    ? template({ answers, choices, meta: { ...meta } })
    : defaultPayload({ answers, choices, meta })
}

// A webhook that has not changed is the same object in every delivery.
const templateOf = onceFor(
  ({ payloadTemplate: template }: Webhook) => template !== null && parseTemplate(template),
)

/**
 * The body of a webhook without a template (contract §6). `timestamp` is when the form was sent. A form with choices adds
 * `labels`: the answers to them as people read them.
 */
export function defaultPayload({ answers, choices, meta }: Filling): Json {
  const { submission_id: id, submitted_at } = meta
  const labels = labelsOf(answers, choices)
  return {
    type: 'form.submitted',
    timestamp: submitted_at,
    data: {
      form: { id: meta.form_id, slug: meta.form_slug, name: meta.form_name },
      submission: { id, submitted_at, answers, ...(choices.size > 0 && { labels }) },
      meta: { ...meta },
    },
  }
}
