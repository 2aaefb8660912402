import { findRenamed } from '../../conditions/renamed-store.ts'
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
 * Plans deliveries by today's webhooks for a stored submission that has none, such as one that was mistaken for spam.
 * Call it in a transaction that holds the submission's row by changing its status, and wake the dispatcher afterward.
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
  const meta = submissionMeta(submission, { siteUrl })
  const conditions = webhooks.map(({ fireOn }) => fireOn)
  const renamed = await findRenamed(db, conditions, [{ ...meta }])
  const planned = planDeliveries(webhooks, { answers, meta, renamed }, { now })
  await insertDeliveries(db, planned)
  return { kind: 'planned', count: planned.length }
}
