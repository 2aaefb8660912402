import type { Db } from '../../db/schema.ts'
import type { DeliveryReason } from '../../messages/admin/webhooks/reasons.ts'
import { type Cancellable, cancelPending } from './delivery-log-store.ts'

/**
 * Cancels pending deliveries: these, or those of a webhook, of a submission, or created in a time window, with or
 * without tests. Attempts in flight finish as usual. Returns the number canceled.
 */
export async function cancelDeliveries(
  db: Db,
  which: Cancellable,
  { now, reason = { code: 'by_hand' } }: { now: Date; reason?: DeliveryReason },
): Promise<number> {
  return which.ids?.length === 0 ? 0 : cancelPending(db, which, { reason, now })
}
