import type { Renamed } from '../../conditions/condition-slugs.ts'
import { evaluateCondition, type Verdict } from '../../conditions/evaluate-condition.ts'
import type { Answers, SubmissionMeta } from '../../templates/meta.ts'
import type { Webhook } from '../definition/webhook.ts'
import type { NewDelivery } from './delivery.ts'

interface PlannedSubject {
  answers: Answers
  meta: SubmissionMeta
  renamed: Renamed
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
  const enabled = webhooks.filter((webhook) => webhook.enabled)
  const judge = createJudge(enabled, subject)
  return enabled.map((webhook) => planDelivery(webhook, judge(webhook), subject, now.toISOString()))
}

function planDelivery(
  webhook: Webhook,
  { fires, reason }: Verdict,
  subject: PlannedSubject,
  now: string,
): NewDelivery {
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

/**
 * Returns whether a webhook fires for a submission, given all webhooks of the form: a fallback fires when no other
 * enabled one does.
 */
export function judgeWebhook(webhook: Webhook, ofForm: readonly Webhook[], subject: PlannedSubject): Verdict {
  return createJudge(
    ofForm.filter(({ enabled, id }) => enabled && id !== webhook.id),
    subject,
  )(webhook)
}

function createJudge(enabled: readonly Webhook[], subject: PlannedSubject): (webhook: Webhook) => Verdict {
  const verdicts = new Map<Webhook, Verdict>()
  const judgeCondition = (webhook: Webhook) => {
    const verdict = verdicts.get(webhook) ?? judgeByCondition(webhook, subject)
    verdicts.set(webhook, verdict)
    return verdict
  }
  return (webhook) => {
    if (!webhook.fallback) return judgeCondition(webhook)
    const isTaken = enabled.some((other) => !other.fallback && judgeCondition(other).fires)
    return isTaken ? { fires: false, reason: { code: 'fallback_unused' }, trace: null } : FIRES
  }
}

const FIRES: Verdict = { fires: true, reason: null, trace: null }

// A condition that cannot be read does not hold.
function judgeByCondition(webhook: Webhook, { answers, meta, renamed }: PlannedSubject): Verdict {
  const { fireOn: problem } = webhook.unreadable
  if (problem !== undefined)
    return { fires: false, reason: { code: 'condition_unreadable', params: { problem } }, trace: null }
  const wholeMeta = { ...meta, webhook_id: webhook.id, webhook_name: webhook.name }
  return evaluateCondition(webhook.fireOn, { answers, meta: wholeMeta, renamed })
}
