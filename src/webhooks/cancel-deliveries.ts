import type { Db } from '../db/schema.ts'
import { type Cancellable, cancelPending } from './delivery-log-store.ts'

/** Why the deliveries of a submission end that is taken for spam. */
export const MARKED_AS_SPAM = 'The submission was marked as spam'

/** Why those end that wait for a webhook when it goes, or is switched off. */
export const WEBHOOK_DELETED = 'The webhook was deleted'
export const WEBHOOK_OFF = 'The webhook was switched off'

/**
 * Cancels what still waits: these deliveries, a webhook's, a submission's, those created in a time window, all of that
 * with or without tests. What is in flight ends as it does. Returns how many were cancelled.
 */
export async function cancelDeliveries(
  db: Db,
  which: Cancellable,
  { now, reason = 'Cancelled by hand' }: { now: Date; reason?: string },
): Promise<number> {
  return which.ids?.length === 0 ? 0 : cancelPending(db, which, { reason, now })
}
