import type { Db } from '../db/schema.ts'
import type { Answers } from './delivery-meta.ts'
import type { Verdict } from './evaluate-condition.ts'
import { judgeWebhook } from './plan-deliveries.ts'
import { redactHeaders } from './redact-headers.ts'
import { renderBody } from './render-body.ts'
import { deliveryHeaders, problemOf } from './sendable-webhook.ts'
import { type SubmissionOrigin, submissionMeta } from './submission-meta.ts'
import { findSubject } from './submission-subject-store.ts'
import type { Webhook, WebhookMethod } from './webhook.ts'
import { checkWebhookReferences, type WebhookDefinition } from './webhook-definition.ts'
import { findWebhook, toDraftWebhook } from './webhook-store.ts'

export type Preview =
  | ({
      kind: 'preview'
      /** What would be sent; headers without secrets and without the signatures, which the moment of sending makes. */
      request: { method: WebhookMethod; url: string; headers: Record<string, string>; body: string | null }
    } & Verdict)
  | { kind: 'webhook_not_found' | 'submission_not_found' }
  | { kind: 'unusable'; problem: string }

/**
 * What a webhook, stored (by id) or as it is being edited over `stored`, would send for a stored submission, and
 * whether it would.
 */
export async function previewWebhook(
  db: Db,
  webhookOrId: WebhookDefinition | number,
  submissionId: number,
  { siteUrl, stored }: { siteUrl: string; stored?: Webhook | undefined },
): Promise<Preview> {
  const subject = await findSubject(db, submissionId)
  if (!subject?.answers) return { kind: 'submission_not_found' }
  const { submission, answers } = subject
  const webhook =
    typeof webhookOrId === 'number'
      ? await findWebhook(db, webhookOrId)
      : toDraftWebhook(webhookOrId, stored ?? { formId: submission.form.id })
  if (webhook?.formId !== submission.form.id) return { kind: 'webhook_not_found' }
  return previewSubject(webhook, { submission, answers }, { siteUrl })
}

/** The same without a database. */
export function previewSubject(
  webhook: Webhook,
  { submission, answers }: { submission: SubmissionOrigin; answers: Answers },
  { siteUrl }: { siteUrl: string },
): Extract<Preview, { kind: 'preview' | 'unusable' }> {
  const problem = problemOf(webhook)
  if (problem !== undefined) return { kind: 'unusable', problem }
  const verdict = judgeWebhook(webhook, { answers, meta: submissionMeta(submission, { siteUrl }) })
  const body = renderBody({ webhook, submission, answers }, { siteUrl, deliveryId: 0, isTest: false })
  const headers = redactHeaders(deliveryHeaders(webhook))
  return { kind: 'preview', request: { method: webhook.method, url: webhook.url, headers, body }, ...verdict }
}

/** What a webhook refers to that its form has no more, one sentence each: an answer that is always empty. */
export function listTemplateWarnings(webhook: Webhook, fieldNames: readonly string[]): string[] {
  const { payloadTemplate: payload_template, fireOn: fire_on } = webhook
  return checkWebhookReferences({ payload_template, fire_on }, fieldNames)
}
