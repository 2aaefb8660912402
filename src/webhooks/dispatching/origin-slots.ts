import type { SendableWebhook } from '../sending/sendable-webhook.ts'

const SLOW_AFTER_MS = 500
/** All attempts, as a multiple of the quick ones. */
const TOTAL_FACTOR = 4

export interface SlotLimits {
  /** Maximum number of attempts younger than half a second; four times as many may run in all. */
  maxInFlight: number
  maxPerOrigin: number
}

/** Destination of attempts. */
export type Target = Pick<SendableWebhook, 'url' | 'origin'>

/** The running attempts, and how many more can start. Times are in milliseconds of one clock. */
export type OriginSlots = ReturnType<typeof createOriginSlots>

/**
 * Three rules keep a receiver that hangs from holding up others. An address begins with one slot and earns up to
 * `maxPerOrigin` by answering, which is what all addresses of an origin have together; failures take them away again. What
 * has run for half a second counts as slow: it no longer takes a place among the `maxInFlight` quick ones, so that it
 * would need many slow origins to fill all places. And an origin to which nothing was begun for half a second, as its
 * slots are taken, has one more for an address with its own slots left: that one may answer.
 */
export function createOriginSlots({ maxInFlight, maxPerOrigin }: SlotLimits) {
  const running = new Map<number, Target & { since: number }>()
  const perAddress = new Map<string, number>()
  const perOrigin = new Map<string, number>()
  const windows = new Map<string, number>()
  const begunAt = new Map<string, number>()
  const windowOf = (url: string) => windows.get(url) ?? 1
  const runningTo = (url: string) => perAddress.get(url) ?? 0
  const leftAt = (origin: string) => maxPerOrigin - (perOrigin.get(origin) ?? 0)
  const isStuck = (origin: string, now = performance.now()) =>
    leftAt(origin) <= 0 && now - (begunAt.get(origin) ?? now) >= SLOW_AFTER_MS

  return {
    /** Returns the number of attempts that may still begin. */
    free(now: number): number {
      let quick = 0
      for (const { since } of running.values()) if (now - since < SLOW_AFTER_MS) quick += 1
      return Math.max(Math.min(maxInFlight - quick, maxInFlight * TOTAL_FACTOR - running.size), 0)
    },
    /** Returns the number that may begin to this address, if its origin has as many, and if there are free slots. */
    freeFor: (url: string): number => Math.max(windowOf(url) - runningTo(url), 0),
    /** Returns the number that may begin to the addresses of this origin. */
    freeAt: (origin: string, now?: number): number =>
      Math.max(leftAt(origin) + (isStuck(origin, now) ? 1 : 0), 0),
    /** True if all slots of this origin are taken and nothing was begun for half a second. */
    isStuck,
    runningTo,
    /** Returns true if an address has the largest window there is, having answered well. */
    hasFullWindow: (url: string): boolean => windowOf(url) === maxPerOrigin,
    take(id: number, { url, origin }: Target, now: number): void {
      running.set(id, { url, origin, since: now })
      begunAt.set(origin, now)
      count(perAddress, url, 1)
      count(perOrigin, origin, 1)
    },
    /** An attempt that arrived doubles its address's window, one that failed halves it. */
    release(id: number, { delivered }: { delivered: boolean }): void {
      const target = running.get(id)
      if (!target || !running.delete(id)) return
      count(perAddress, target.url, -1)
      count(perOrigin, target.origin, -1)
      const window = windowOf(target.url)
      windows.set(target.url, Math.min(Math.max(delivered ? window * 2 : window >> 1, 1), maxPerOrigin))
    },
    /** The deliveries whose attempts run. */
    ids: (): number[] => [...running.keys()],
    /** In how many milliseconds the next attempt counts as slow and gives its slot to another; undefined when none will. */
    millisecondsToFree(now: number): number | undefined {
      const waits = [...running.values()].map(({ since }) => since + SLOW_AFTER_MS - now)
      const quick = waits.filter((wait) => wait > 0)
      return quick.length > 0 ? Math.min(...quick) : undefined
    },
  }
}

function count(counts: Map<string, number>, key: string, change: number) {
  const sum = (counts.get(key) ?? 0) + change
  if (sum > 0) counts.set(key, sum)
  else counts.delete(key)
}
