import type { Db } from '../db/schema.ts'
import { cancelPending, type DeliveryFilter } from './delivery-log-store.ts'

/** Why the deliveries of a submission end that is taken for spam. */
export const MARKED_AS_SPAM = 'The submission was marked as spam'

/**
 * Cancels what still waits: these deliveries, a webhook's, a submission's, or those created in a time window. What is
 * in flight ends as it does. Returns how many were cancelled.
 */
export async function cancelDeliveries(
  db: Db,
  which: Omit<DeliveryFilter, 'status'> & { ids?: readonly number[] | undefined },
  { now, reason = 'Cancelled by hand' }: { now: Date; reason?: string },
): Promise<number> {
  return which.ids?.length === 0 ? 0 : cancelPending(db, which, { reason, now })
}
