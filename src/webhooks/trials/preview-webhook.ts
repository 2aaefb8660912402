import type { Renamed } from '../../conditions/condition-slugs.ts'
import type { Verdict } from '../../conditions/evaluate-condition.ts'
import { findRenamed } from '../../conditions/renamed-store.ts'
import type { Db } from '../../db/schema.ts'
import type { UnusableReason } from '../../messages/admin/webhooks/reasons.ts'
import type { Answers } from '../../templates/meta.ts'
import { listNullWarnings, type NullWarning } from '../../templates/null-warnings.ts'
import type { TemplateField } from '../../templates/template-field.ts'
import { renderBody } from '../body/render-body.ts'
import { type Origins, submissionMeta } from '../body/submission-meta.ts'
import { findSubject, type StoredSubject } from '../body/submission-subject-store.ts'
import type { Webhook, WebhookMethod } from '../definition/webhook.ts'
import { listUnknownReferences, type WebhookDefinition } from '../definition/webhook-definition.ts'
import { findWebhook, listWebhooks, toDraftWebhook } from '../definition/webhook-store.ts'
import { judgeWebhook } from '../deliveries/plan-deliveries.ts'
import { redactHeaders } from '../secrets/redact-headers.ts'
import { deliveryHeaders, problemOf } from '../sending/sendable-webhook.ts'

export type Preview =
  | ({
      kind: 'preview'
      /**
       * The request that would be sent; headers without secrets, and without signatures, which depend on the time of
       * sending.
       */
      request: { method: WebhookMethod; url: string; headers: Record<string, string>; body: string | null }
    } & Verdict)
  | { kind: 'webhook_not_found' | 'submission_not_found' }
  | { kind: 'unusable'; reason: UnusableReason }

/**
 * Returns the request that a webhook (stored, or edited over `stored`) would send for a stored submission, and whether
 * it would be sent.
 */
export async function previewWebhook(
  db: Db,
  webhookOrId: WebhookDefinition | number,
  submissionId: number,
  { stored, ...origins }: Origins & { stored?: Webhook | undefined },
): Promise<Preview> {
  const subject = await findSubject(db, submissionId)
  if (!subject?.answers) return { kind: 'submission_not_found' }
  const { submission, answers, choices } = subject
  const webhook =
    typeof webhookOrId === 'number'
      ? await findWebhook(db, webhookOrId)
      : toDraftWebhook(webhookOrId, stored ?? { formId: submission.form.id })
  if (webhook?.formId !== submission.form.id) return { kind: 'webhook_not_found' }
  const ofForm = webhook.fallback ? await listWebhooks(db, webhook.formId) : []
  const renamed = await findRenamedOf(db, [webhook, ...ofForm], [subject])
  return previewSubject(webhook, { submission, answers, choices }, { ...origins, ofForm, renamed })
}

/** Finds what webhooks and submissions call by a former slug. */
export function findRenamedOf(
  db: Db,
  webhooks: readonly Webhook[],
  subjects: readonly StoredSubject[],
): Promise<Renamed> {
  const metas = subjects.map(({ submission }) => ({ ...submissionMeta(submission, { siteUrl: '' }) }))
  return findRenamed(
    db,
    webhooks.map(({ fireOn }) => fireOn),
    metas,
  )
}

/** The same without a database. */
export function previewSubject(
  webhook: Webhook,
  { submission, answers, choices }: StoredSubject & { answers: Answers },
  { ofForm, renamed, ...origins }: Origins & { ofForm: readonly Webhook[]; renamed: Renamed },
): Extract<Preview, { kind: 'preview' | 'unusable' }> {
  const reason = problemOf(webhook)
  if (reason) return { kind: 'unusable', reason }
  const verdict = judgeWebhook(webhook, ofForm, {
    answers,
    meta: submissionMeta(submission, origins),
    renamed,
  })
  const body = renderBody(
    { webhook, submission, answers, choices },
    { ...origins, deliveryId: 0, isTest: false },
  )
  const headers = redactHeaders(deliveryHeaders(webhook))
  return { kind: 'preview', request: { method: webhook.method, url: webhook.url, headers, body }, ...verdict }
}

/** Warnings about a webhook that can still be saved. */
export interface WebhookWarnings {
  /** Names that the form no longer asks for; their answers are always empty. */
  lost: string[]
  /** Values of the body that can be null. */
  nulls: NullWarning[]
}

/** Lists the warnings about a webhook, stored or being edited. */
export function listWebhookWarnings(
  { method, payload_template, fire_on }: Pick<WebhookDefinition, 'method' | 'payload_template' | 'fire_on'>,
  fields: readonly TemplateField[],
): WebhookWarnings {
  const lost = Object.values(listUnknownReferences({ payload_template, fire_on }, fields)).flat()
  const nulls = method === 'GET' ? [] : listNullWarnings(payload_template, fields)
  return { lost: [...new Set(lost)], nulls }
}
