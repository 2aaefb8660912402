/** Number of mails at once of both outboxes, and times in milliseconds. */
export const AT_ONCE = 5
export const POLL_MS = 1_000
/** Time that an older program, which does not know renewals, leaves a claim alone. */
export const LEASE_MS = 120_000
const STOP_WITHIN_MS = 8_000

/** The pause before the next turn, in milliseconds, when the next mail is due at `next` (UTC text). */
export function pauseUntil(next: string | undefined, now: Date): number {
  if (next === undefined) return POLL_MS
  return Math.min(Math.max(Date.parse(next) - now.getTime(), 0), POLL_MS)
}

/** Waits for the work to end, at most `withinMs`, and calls `onLate` if it has not. */
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
