import type { Db } from '../../db/schema.ts'
import type { DeliveryReason } from '../reasons/describe-reason.ts'
import { reasonColumns } from '../reasons/reason-columns.ts'
import type { DeliveryFilter } from './delivery-log-store.ts'

interface Cancellable extends Omit<DeliveryFilter, 'status'> {
  ids?: readonly number[] | undefined
  isTest?: boolean | undefined
}

/**
 * Cancels what still waits: these deliveries, a webhook's, a submission's, those created in a time window, all of that
 * with or without tests. What is in flight ends as it does. Returns how many were cancelled.
 */
export async function cancelDeliveries(
  db: Db,
  { ids, formId, webhookId, submissionId, isTest, from, until }: Cancellable,
  { now, reason = { code: 'by_hand' } }: { now: Date; reason?: DeliveryReason },
): Promise<number> {
  if (ids?.length === 0) return 0
  let query = db
    .updateTable('webhook_deliveries')
    .set({ status: 'cancelled', ...reasonColumns(reason), next_attempt_at: null })
    .set({ finished_at: now.toISOString() })
    .where('status', '=', 'pending')
  if (ids !== undefined) query = query.where('id', 'in', ids)
  if (formId !== undefined) query = query.where('form_id', '=', formId)
  if (webhookId !== undefined) query = query.where('webhook_id', '=', webhookId)
  if (submissionId !== undefined) query = query.where('submission_id', '=', submissionId)
  if (isTest !== undefined) query = query.where('is_test', '=', isTest ? 1 : 0)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (until !== undefined) query = query.where('created_at', '<', until)
  return Number((await query.executeTakeFirst()).numUpdatedRows)
}
