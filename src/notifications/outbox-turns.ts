/** Number of emails sent at once from both outboxes, and times in milliseconds. */
export const AT_ONCE = 5
export const POLL_MS = 1_000
/** Lease of claims by an older program that doesn't renew them. */
export const LEASE_MS = 120_000
const STOP_WITHIN_MS = 8_000

/** Returns the pause before the next turn in milliseconds; `next` is when the next email is due (UTC text). */
export function pauseUntil(next: string | undefined, now: Date): number {
  if (next === undefined) return POLL_MS
  return Math.min(Math.max(Date.parse(next) - now.getTime(), 0), POLL_MS)
}

/** Waits at most `withinMs` for the work to end, and calls `onLate` if it takes longer. */
export async function waitAtMost(
  ended: Promise<void>,
  { withinMs = STOP_WITHIN_MS, onLate }: { withinMs?: number | undefined; onLate?: () => void },
): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    onLate?.()
    late.resolve()
  }, withinMs)
  await Promise.race([ended, late.promise])
  clearTimeout(timer)
}
