import type { Db } from '../../db/schema.ts'
import type { DeliveryReason, DryRunReason } from '../../messages/admin/webhooks/reasons.ts'
import type { Origins } from '../body/submission-meta.ts'
import { listLatestSubjects } from '../body/submission-subject-store.ts'
import type { Webhook } from '../definition/webhook.ts'
import type { WebhookDefinition } from '../definition/webhook-definition.ts'
import { findWebhook, listWebhooks, toDraftWebhook } from '../definition/webhook-store.ts'
import { findRenamedOf, previewSubject } from './preview-webhook.ts'

/** The effect of a changed webhook on one submission. */
export interface DryRun {
  submissionId: number
  submittedAt: string
  before: DryRunSide
  after: DryRunSide
  bodyDiffers: boolean
}

interface DryRunSide {
  fires: boolean
  /** Why it does not fire, or cannot be sent. */
  reason: DeliveryReason | DryRunReason | null
  body: string | null
}

/**
 * Runs a changed webhook, or a new one of the form `formId`, over the latest submissions of its form, newest first, and
 * compares it with the stored one. Nothing is sent or stored. Undefined when there is no such webhook. Submissions with
 * unreadable answers are left out.
 */
export async function dryRunWebhook(
  db: Db,
  target: number | { formId: number },
  changed: WebhookDefinition,
  { limit, ...origins }: Origins & { limit: number },
): Promise<DryRun[] | undefined> {
  const stored = typeof target === 'number' ? await findWebhook(db, target) : undefined
  if (typeof target === 'number' && !stored) return undefined
  const draft = toDraftWebhook(changed, stored ?? (target as { formId: number }))
  const subjects = await listLatestSubjects(db, draft.formId, { limit })
  const ofForm = draft.fallback || stored?.fallback ? await listWebhooks(db, draft.formId) : []
  const renamed = await findRenamedOf(db, [draft, ...ofForm, ...(stored ? [stored] : [])], subjects)
  return subjects.flatMap(({ submission, answers, choices }) => {
    if (!answers) return []
    const sideOf = (webhook: Webhook) =>
      toSide(
        webhook,
        previewSubject(webhook, { submission, answers, choices }, { ...origins, ofForm, renamed }),
      )
    const before = stored ? sideOf(stored) : NOTHING
    const after = sideOf(draft)
    const { id: submissionId, submittedAt } = submission
    return { submissionId, submittedAt, before, after, bodyDiffers: before.body !== after.body }
  })
}

// Before a webhook was added.
const NOTHING: DryRunSide = { fires: false, reason: { code: 'not_there' }, body: null }

function toSide({ enabled }: Webhook, preview: ReturnType<typeof previewSubject>): DryRunSide {
  if (preview.kind === 'unusable') return { fires: false, reason: preview.reason, body: null }
  if (!enabled) return { fires: false, reason: { code: 'off' }, body: preview.request.body }
  return { fires: preview.fires, reason: preview.reason, body: preview.request.body }
}
