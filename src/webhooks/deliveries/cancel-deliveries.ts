import type { Db } from '../../db/schema.ts'
import type { DeliveryReason } from '../../messages/admin/webhooks/reasons.ts'
import { type Cancellable, cancelPending } from './delivery-log-store.ts'

/**
 * Cancels what still waits: these deliveries, a webhook's, a submission's, those created in a time window, all of that
 * with or without tests. What is in flight ends as it does. Returns how many were canceled.
 */
export async function cancelDeliveries(
  db: Db,
  which: Cancellable,
  { now, reason = { code: 'by_hand' } }: { now: Date; reason?: DeliveryReason },
): Promise<number> {
  return which.ids?.length === 0 ? 0 : cancelPending(db, which, { reason, now })
}
