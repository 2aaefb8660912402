import type { Db } from '../../db/schema.ts'
import type { SpamReason } from '../../messages/admin/spam.ts'
import type { DeliveryReason } from '../../webhooks/reasons/describe-reason.ts'
import { reasonColumns, skipColumns } from '../../webhooks/reasons/reason-columns.ts'
import { spamColumns } from '../spam-reason.ts'

// Typed: a code that is renamed is renamed here.
const SPAM: DeliveryReason['code'] = 'spam'

/** Takes a submission for spam; false when it is already, or is not there. */
export async function setSpam(db: Db, id: number, { reason }: { reason: SpamReason }): Promise<boolean> {
  const result = await db
    .updateTable('form_submissions')
    .set({ status: 'spam', ...spamColumns(reason) })
    .where('id', '=', id)
    .where('status', '!=', 'spam')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Makes spam a new submission again; false when it is none, or is not there. */
export async function clearSpam(db: Db, id: number): Promise<boolean> {
  const result = await db
    .updateTable('form_submissions')
    .set({ status: 'new', ...spamColumns(null) })
    .where('id', '=', id)
    .where('status', '=', 'spam')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The deliveries of a submission that were canceled because it was spam. */
export function listCancelledAsSpam(db: Db, submissionId: number) {
  return db
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id as webhookId', 'is_test as isTest'])
    .where('submission_id', '=', submissionId)
    .where('status', '=', 'cancelled')
    .where('outcome_code', '=', SPAM)
    .orderBy('id')
    .execute()
}

/** Makes a canceled delivery due. */
export async function reviveDelivery(db: Db, id: number, { now }: { now: Date }): Promise<void> {
  const due = { next_attempt_at: now.toISOString(), finished_at: null, ...reasonColumns(null) }
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', ...due })
    .where('id', '=', id)
    .execute()
}

/** Makes a canceled delivery a skipped one. */
export async function skipDelivery(
  db: Db,
  id: number,
  { reason }: { reason: DeliveryReason | null },
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'skipped', ...skipColumns(reason) })
    .where('id', '=', id)
    .execute()
}

/** Removes the deliveries of submissions that are stored in the same transaction. */
export async function deleteDeliveries(db: Db, submissionIds: readonly number[]): Promise<void> {
  if (submissionIds.length === 0) return
  await db.deleteFrom('webhook_deliveries').where('submission_id', 'in', submissionIds).execute()
}

/** As `deleteDeliveries`, their mails. */
export async function deleteMails(db: Db, submissionIds: readonly number[]): Promise<void> {
  if (submissionIds.length === 0) return
  await db.deleteFrom('notification_mails').where('submission_id', 'in', submissionIds).execute()
}
