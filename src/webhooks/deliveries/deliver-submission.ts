import type { Db } from '../../db/schema.ts'
import { submissionMeta } from '../body/submission-meta.ts'
import { findSubject } from '../body/submission-subject-store.ts'
import { listWebhooks } from '../definition/webhook-store.ts'
import { hasDeliveries, insertDeliveries } from './delivery-store.ts'
import { planDeliveries } from './plan-deliveries.ts'

export type LateDelivery =
  /** Number of new deliveries, including skipped ones. */
  | { kind: 'planned'; count: number }
  /** It has deliveries already: nothing is sent twice. */
  | { kind: 'delivered_before' }
  /** There is no such submission, its form was deleted, or its answers cannot be read. */
  | { kind: 'not_found' }

/**
 * Plans the deliveries of a stored submission that had none, such as one that was taken for spam, by today's webhooks.
 * In a transaction that has the submission's row (its change of status); wake the dispatcher after it.
 */
export async function deliverSubmission(
  db: Db,
  submissionId: number,
  { siteUrl, now = new Date() }: { siteUrl: string; now?: Date },
): Promise<LateDelivery> {
  const subject = await findSubject(db, submissionId)
  if (!subject?.answers) return { kind: 'not_found' }
  if (await hasDeliveries(db, submissionId)) return { kind: 'delivered_before' }
  const { submission, answers } = subject
  const webhooks = await listWebhooks(db, submission.form.id)
  const planned = planDeliveries(
    webhooks,
    { answers, meta: submissionMeta(submission, { siteUrl }) },
    { now },
  )
  await insertDeliveries(db, planned)
  return { kind: 'planned', count: planned.length }
}
