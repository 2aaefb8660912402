import type { Db } from '../../db/schema.ts'
import { BLOCKED_MS } from './claim-due-deliveries.ts'
import { bringForward } from './delivery-queue-store.ts'
import { LONGEST_DELAY_MS } from './retry-schedule.ts'

/**
 * Makes due what was planned by a clock that was ahead of this one: what waits for its first attempt although nothing
 * keeps it from that, and what waits for longer than the longest delay.
 */
export function mendSchedule(db: Db, { now }: { now: Date }): Promise<void> {
  const later = (delayMs: number) => new Date(now.getTime() + delayMs)
  return bringForward(db, { now, latestFirst: later(BLOCKED_MS), latestRetry: later(LONGEST_DELAY_MS) })
}
