import { evaluateCondition, type Verdict } from '../../conditions/evaluate-condition.ts'
import type { Answers, SubmissionMeta } from '../../templates/meta.ts'
import type { Webhook } from '../definition/webhook.ts'
import type { NewDelivery } from './delivery.ts'

interface PlannedSubject {
  answers: Answers
  meta: SubmissionMeta
}

/**
 * One delivery for each enabled webhook of a submission's form (§6.1): due at once, or skipped with the rule that
 * failed. A condition that cannot be read does not fire.
 */
export function planDeliveries(
  webhooks: readonly Webhook[],
  subject: PlannedSubject,
  { now }: { now: Date },
): NewDelivery[] {
  return webhooks
    .filter((webhook) => webhook.enabled)
    .map((webhook) => planDelivery(webhook, subject, now.toISOString()))
}

function planDelivery(webhook: Webhook, subject: PlannedSubject, now: string): NewDelivery {
  const { fires, reason } = judgeWebhook(webhook, subject)
  return {
    submissionId: subject.meta.submission_id,
    formId: webhook.formId,
    webhookId: webhook.id,
    status: fires ? 'pending' : 'skipped',
    createdAt: now,
    nextAttemptAt: fires ? now : null,
    reason,
    finishedAt: fires ? null : now,
  }
}

/** Whether a webhook fires for a submission. A condition that cannot be read does not. */
export function judgeWebhook(webhook: Webhook, { answers, meta }: PlannedSubject): Verdict {
  const { fireOn: problem } = webhook.unreadable
  if (problem !== undefined)
    return { fires: false, reason: { code: 'condition_unreadable', params: { problem } }, trace: null }
  const wholeMeta = { ...meta, webhook_id: webhook.id, webhook_name: webhook.name }
  return evaluateCondition(webhook.fireOn, { answers, meta: wholeMeta })
}
