import type { PreparedDelivery } from './prepare-delivery.ts'

const FIRST_ALLOWANCE = 8
const MAX_ALLOWANCE = 64
const STALE_AFTER_MS = 250

/** Deliveries that are claimed and wait for a slot. Times are in milliseconds of one clock. */
export interface WaitingLines {
  all(): PreparedDelivery[]
  size(): number
  add(prepared: PreparedDelivery, now: number): void
  /** Takes the first of the line whose origin comes first by `rank`; undefined is no rank. None that is stale. */
  next(rank: (origin: string) => number | undefined, now: number): PreparedDelivery | undefined
  /** How many more deliveries to an origin that answers may be claimed ahead. */
  roomFor(origin: string): number
  lengthOf(origin: string): number
  /** Takes out what has waited for a quarter of a second, and what `isUnwanted`. */
  takeOut(isUnwanted: (prepared: PreparedDelivery) => boolean, now: number): PreparedDelivery[]
}

interface Waiting {
  prepared: PreparedDelivery
  since: number
}

/**
 * One line for each origin, so that a slot that gets free never waits for the database. How many may wait follows the
 * receiver: twice as many whenever its line ran empty, half of it when some waited too long. What waits too long goes
 * back, so that a pause, an edit, or another process finds it in the database.
 */
export function createWaitingLines(): WaitingLines {
  const lines = new Map<string, Waiting[]>()
  const allowances = new Map<string, number>()
  let size = 0
  const allowanceOf = (origin: string) => allowances.get(origin) ?? FIRST_ALLOWANCE
  const lengthOf = (origin: string) => lines.get(origin)?.length ?? 0

  return {
    all: () => [...lines.values()].flatMap((line) => line.map(({ prepared }) => prepared)),
    size: () => size,
    lengthOf,
    roomFor: (origin) => Math.max(allowanceOf(origin) - lengthOf(origin), 0),
    add(prepared, now) {
      const { origin } = prepared.sendable
      const line = lines.get(origin) ?? []
      line.push({ prepared, since: now })
      size += 1
      lines.set(origin, line)
    },
    next(rank, now) {
      const origin = bestOf(lines, (origin, first) => (isStale(first, now) ? undefined : rank(origin)))
      const line = origin === undefined ? undefined : lines.get(origin)
      if (origin === undefined || !line) return undefined
      const first = line.shift()
      size -= 1
      if (line.length > 0) return first?.prepared
      lines.delete(origin)
      allowances.set(origin, Math.min(allowanceOf(origin) * 2, MAX_ALLOWANCE))
      return first?.prepared
    },
    takeOut(isUnwanted, now) {
      const taken: PreparedDelivery[] = []
      for (const [origin, line] of [...lines]) {
        if (line.some((one) => isStale(one, now)))
          allowances.set(origin, Math.max(allowanceOf(origin) >> 1, 1))
        const [going, staying] = partition(line, (one) => isStale(one, now) || isUnwanted(one.prepared))
        taken.push(...going.map(({ prepared }) => prepared))
        if (staying.length > 0) lines.set(origin, staying)
        else lines.delete(origin)
      }
      size -= taken.length
      return taken
    },
  }
}

function isStale({ since }: Waiting, now: number): boolean {
  return now - since >= STALE_AFTER_MS
}

function bestOf(
  lines: ReadonlyMap<string, readonly Waiting[]>,
  rank: (origin: string, first: Waiting) => number | undefined,
): string | undefined {
  let best: { origin: string; place: number } | undefined
  for (const [origin, [first]] of lines) {
    const place = first && rank(origin, first)
    if (place !== undefined && (!best || place < best.place)) best = { origin, place }
  }
  return best?.origin
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  const { yes = [], no = [] } = Object.groupBy(items, (item) => (test(item) ? 'yes' : 'no'))
  return [yes, no]
}
