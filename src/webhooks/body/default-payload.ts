import type { Json } from '../../lib/canonical-json.ts'
import { type Choices, labelsOf } from './choice-labels.ts'
import type { Answers, DeliveryMeta } from './delivery-meta.ts'

interface Payload {
  answers: Answers
  choices: Choices
  meta: DeliveryMeta
}

/**
 * The body of a webhook without a template (contract §6). `timestamp` is when the form was sent. A form with choices adds
 * `labels`: the answers to them as people read them.
 */
export function defaultPayload({ answers, choices, meta }: Payload): Json {
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
