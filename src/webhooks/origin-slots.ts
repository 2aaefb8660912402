const SLOW_AFTER_MS = 500
/** All attempts, as a multiple of the quick ones. */
const TOTAL_FACTOR = 4

export interface SlotLimits {
  /** How many attempts younger than half a second may run; four times as many may run in all. */
  maxInFlight: number
  maxPerOrigin: number
}

/** Which attempts run, and how many more may be begun. Times are in milliseconds of one clock. */
export interface OriginSlots {
  /** How many more attempts may be begun at all. */
  free(now: number): number
  /** How many more may be begun to this origin, if there are free slots. */
  freeFor(origin: string, now?: number): number
  runningTo(origin: string): number
  /** Whether an origin has the largest window there is, having answered well. */
  hasFullWindow(origin: string): boolean
  take(id: number, origin: string, now: number): void
  /** An attempt that arrived doubles its origin's window, one that failed halves it. */
  release(id: number, { delivered }: { delivered: boolean }): void
  /** The deliveries whose attempts run. */
  ids(): number[]
  /** In how many milliseconds the next attempt counts as slow and gives its slot to another; undefined when none will. */
  millisecondsToFree(now: number): number | undefined
}

/**
 * Three rules keep a receiver that hangs from holding up others. An origin begins with one slot and earns up to
 * `maxPerOrigin` by answering; failures take them away again. What has run for half a second counts as slow: it no
 * longer takes a place among the `maxInFlight` quick ones, so that it would need many slow origins to fill all places.
 * And an origin to which nothing was begun for half a second, as its slots are taken, has one more: another address of it
 * may answer.
 */
export function createOriginSlots({ maxInFlight, maxPerOrigin }: SlotLimits): OriginSlots {
  const running = new Map<number, { origin: string; since: number }>()
  const counts = new Map<string, number>()
  const windows = new Map<string, number>()
  const begunAt = new Map<string, number>()
  const windowOf = (origin: string) => windows.get(origin) ?? 1

  return {
    free(now) {
      let quick = 0
      for (const { since } of running.values()) if (now - since < SLOW_AFTER_MS) quick += 1
      return Math.max(Math.min(maxInFlight - quick, maxInFlight * TOTAL_FACTOR - running.size), 0)
    },
    freeFor(origin, now = performance.now()) {
      const left = windowOf(origin) - (counts.get(origin) ?? 0)
      const isStuck = left <= 0 && now - (begunAt.get(origin) ?? now) >= SLOW_AFTER_MS
      return Math.max(isStuck ? left + 1 : left, 0)
    },
    runningTo: (origin) => counts.get(origin) ?? 0,
    hasFullWindow: (origin) => windowOf(origin) === maxPerOrigin,
    take(id, origin, now) {
      running.set(id, { origin, since: now })
      begunAt.set(origin, now)
      counts.set(origin, (counts.get(origin) ?? 0) + 1)
    },
    release(id, { delivered }) {
      const { origin } = running.get(id) ?? {}
      if (origin === undefined || !running.delete(id)) return
      countDown(counts, origin)
      const window = delivered ? windowOf(origin) * 2 : windowOf(origin) >> 1
      windows.set(origin, Math.min(Math.max(window, 1), maxPerOrigin))
    },
    ids: () => [...running.keys()],
    millisecondsToFree(now) {
      const waits = [...running.values()].map(({ since }) => since + SLOW_AFTER_MS - now)
      const quick = waits.filter((wait) => wait > 0)
      return quick.length > 0 ? Math.min(...quick) : undefined
    },
  }
}

function countDown(counts: Map<string, number>, origin: string) {
  const left = (counts.get(origin) ?? 0) - 1
  if (left > 0) counts.set(origin, left)
  else counts.delete(origin)
}
