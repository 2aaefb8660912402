import type { SendableWebhook } from '../sending/sendable-webhook.ts'
import type { SlotShare } from './slot-shares.ts'

const SLOW_AFTER_MS = 500
/** All attempts, as a multiple of the quick ones. */
const TOTAL_FACTOR = 4

export interface SlotLimits {
  /** Maximum number of attempts younger than half a second; four times as many may run in all. */
  maxInFlight: number
  maxPerOrigin: number
  /** The part of them that this server may use now; all by default. */
  share?: () => SlotShare
}

/** Destination of attempts. */
export type Target = Pick<SendableWebhook, 'url' | 'origin'>

/** The running attempts, and how many more can start. Times are in milliseconds of one clock. */
export type OriginSlots = ReturnType<typeof createOriginSlots>

/**
 * Three rules keep a hanging receiver from delaying others. (1) An address starts with one slot and earns more by
 * answering, up to `maxPerOrigin`, the limit of all addresses of an origin together; failures take slots away again.
 * (2) An attempt that has run for half a second counts as slow and no longer takes one of the `maxInFlight` quick
 * slots, so only many slow origins could fill them all. (3) An origin whose slots are all taken, and that has started
 * nothing for half a second, gets one more slot for an address with slots of its own left: that address may answer.
 */
export function createOriginSlots({ maxInFlight, maxPerOrigin, ...limits }: SlotLimits) {
  const { share = () => ({ perOrigin: maxPerOrigin, mayExceed: true }) } = limits
  const running = new Map<number, Target & { since: number }>()
  const perAddress = new Map<string, number>()
  const perOrigin = new Map<string, number>()
  const windows = new Map<string, number>()
  const begunAt = new Map<string, number>()
  const mostPerOrigin = () => share().perOrigin
  const windowOf = (url: string) => Math.min(windows.get(url) ?? 1, mostPerOrigin())
  const runningTo = (url: string) => perAddress.get(url) ?? 0
  const leftAt = (origin: string) => mostPerOrigin() - (perOrigin.get(origin) ?? 0)
  const isStuck = (origin: string, now = performance.now()) =>
    share().mayExceed && leftAt(origin) <= 0 && now - (begunAt.get(origin) ?? now) >= SLOW_AFTER_MS

  return {
    /** Returns the number of attempts that may still start. */
    free(now: number): number {
      let quick = 0
      for (const { since } of running.values()) if (now - since < SLOW_AFTER_MS) quick += 1
      return Math.max(Math.min(maxInFlight - quick, maxInFlight * TOTAL_FACTOR - running.size), 0)
    },
    /** Returns the number that may start to this address, given the slots of its origin and the free slots. */
    freeFor: (url: string): number => Math.max(windowOf(url) - runningTo(url), 0),
    /** Returns the number that may start to the addresses of this origin. */
    freeAt: (origin: string, now?: number): number =>
      Math.max(leftAt(origin) + (isStuck(origin, now) ? 1 : 0), 0),
    /** True if all slots of this origin are taken and nothing was started for half a second. */
    isStuck,
    runningTo,
    /** Returns true if this server has no slots yet. */
    isClosed: () => mostPerOrigin() === 0,
    /** Number of attempts that run to the origin with the most. */
    mostRunning: () => Math.max(0, ...perOrigin.values()),
    /** Returns true if an address has answered well enough to have the largest window. */
    hasFullWindow: (url: string): boolean => windowOf(url) === mostPerOrigin(),
    take(id: number, { url, origin }: Target, now: number): void {
      running.set(id, { url, origin, since: now })
      begunAt.set(origin, now)
      count(perAddress, url, 1)
      count(perOrigin, origin, 1)
    },
    /** A delivered attempt doubles the window of its address; a failed one halves it. */
    release(id: number, { delivered }: { delivered: boolean }): void {
      const target = running.get(id)
      if (!target || !running.delete(id)) return
      count(perAddress, target.url, -1)
      count(perOrigin, target.origin, -1)
      const window = windows.get(target.url) ?? 1
      windows.set(target.url, Math.min(Math.max(delivered ? window * 2 : window >> 1, 1), maxPerOrigin))
    },
    /** The deliveries whose attempts run. */
    ids: (): number[] => [...running.keys()],
    /** Milliseconds until the next attempt counts as slow; undefined when none will. */
    millisecondsToFree: (now: number): number | undefined => untilSlow(running.values(), now),
  }
}

function count(counts: Map<string, number>, key: string, change: number) {
  const sum = (counts.get(key) ?? 0) + change
  if (sum > 0) counts.set(key, sum)
  else counts.delete(key)
}

function untilSlow(attempts: Iterable<{ since: number }>, now: number): number | undefined {
  const waits = Array.from(attempts, ({ since }) => since + SLOW_AFTER_MS - now).filter((wait) => wait > 0)
  return waits.length > 0 ? Math.min(...waits) : undefined
}
