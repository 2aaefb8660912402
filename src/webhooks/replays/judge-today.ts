import type { Verdict } from '../../conditions/evaluate-condition.ts'
import { findRenamed } from '../../conditions/renamed-store.ts'
import type { Db } from '../../db/schema.ts'
import { submissionMeta } from '../body/submission-meta.ts'
import { findSubject } from '../body/submission-subject-store.ts'
import type { Webhook } from '../definition/webhook.ts'
import { listWebhooks } from '../definition/webhook-store.ts'
import { judgeWebhook } from '../deliveries/plan-deliveries.ts'

/** The verdict of a webhook's current conditions on a stored submission. */
export interface VerdictOfToday extends Verdict {
  /** The place of the page with the form. */
  locationName: string | null
}

/**
 * Judges a stored submission by the current conditions of a webhook; undefined when its answers are gone or unreadable.
 */
export async function judgeToday(
  db: Db,
  webhook: Webhook,
  submissionId: number,
  { siteUrl }: { siteUrl: string },
): Promise<VerdictOfToday | undefined> {
  const subject = await findSubject(db, submissionId)
  if (!subject?.answers) return undefined
  const { submission, answers } = subject
  const ofForm = webhook.fallback ? await listWebhooks(db, webhook.formId) : []
  const meta = submissionMeta(submission, { siteUrl })
  const conditions = [webhook, ...ofForm].map(({ fireOn }) => fireOn)
  const renamed = await findRenamed(db, conditions, [{ ...meta }])
  const verdict = judgeWebhook(webhook, ofForm, { answers, meta, renamed })
  return { ...verdict, locationName: submission.locationName }
}
