import type { CompiledQuery } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { DeliveryReason } from '../../messages/admin/webhooks/reasons.ts'
import { reasonColumns, skipColumns } from '../reasons/reason-columns.ts'

// Typed: a code that is renamed is renamed here.
const SPAM: DeliveryReason['code'] = 'spam'

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

/** Lists the statuses of a submission's deliveries, without tests. */
export async function listDeliveryStatuses(db: Db, submissionId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('status')
    .where('submission_id', '=', submissionId)
    .where('is_test', '=', 0)
    .execute()
  return rows.map(({ status }) => status)
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

/** The statements that remove the deliveries of submissions that are stored in the same transaction. */
export function deliveryDeletes(db: Db, submissionIds: readonly number[]): CompiledQuery[] {
  if (submissionIds.length === 0) return []
  return [db.deleteFrom('webhook_deliveries').where('submission_id', 'in', submissionIds).compile()]
}
