import type { Json } from '../lib/canonical-json.ts'
import type { Answers, DeliveryMeta } from './delivery-meta.ts'

/** The body of a webhook without a template (contract §6). `timestamp` is when the form was sent. */
export function defaultPayload({ answers, meta }: { answers: Answers; meta: DeliveryMeta }): Json {
  return {
    type: 'form.submitted',
    timestamp: meta.submitted_at,
    data: {
      form: { id: meta.form_id, slug: meta.form_slug, name: meta.form_name },
      submission: { id: meta.submission_id, submitted_at: meta.submitted_at, answers },
      meta: { ...meta },
    },
  }
}
