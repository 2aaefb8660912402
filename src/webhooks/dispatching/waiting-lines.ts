import type { PreparedDelivery } from '../sending/prepare-delivery.ts'

const FIRST_ALLOWANCE = 8
const MAX_ALLOWANCE = 128
const STALE_AFTER_MS = 250

interface Waiting {
  prepared: PreparedDelivery
  since: number
}

/** Deliveries that are claimed and wait for a slot. Times are in milliseconds of one clock. */
/**
 * One line for each address, so that a free slot never waits for the database. The length of a line follows its
 * receiver: it doubles when the line ran empty and halves when deliveries have waited too long. Deliveries
 * that waited too long are given back, so that a pause, an edit, or another process finds them in the database.
 */
export function createWaitingLines() {
  const lines = new Map<string, Waiting[]>()
  const allowances = new Map<string, number>()
  let size = 0
  const allowanceOf = (url: string) => allowances.get(url) ?? FIRST_ALLOWANCE
  const lengthOf = (url: string) => lines.get(url)?.length ?? 0

  return {
    all: (): PreparedDelivery[] =>
      [...lines.values()].flatMap((line) => line.map(({ prepared }) => prepared)),
    size: (): number => size,
    lengthOf,
    /** Returns the number of deliveries that may be claimed ahead for an address that answers. */
    roomFor: (url: string): number => Math.max(allowanceOf(url) - lengthOf(url), 0),
    add(prepared: PreparedDelivery, now: number): void {
      const { url } = prepared.sendable
      const line = lines.get(url) ?? []
      line.push({ prepared, since: now })
      size += 1
      lines.set(url, line)
    },
    /**
     * Takes the first delivery of the line with the lowest rank. Skips stale deliveries, and lines whose rank is
     * undefined.
     */
    next(rank: (first: PreparedDelivery) => number | undefined, now: number): PreparedDelivery | undefined {
      const url = bestOf(lines, (first) => (isStale(first, now) ? undefined : rank(first.prepared)))
      const line = url === undefined ? undefined : lines.get(url)
      if (url === undefined || !line) return undefined
      const first = line.shift()
      size -= 1
      if (line.length > 0) return first?.prepared
      lines.delete(url)
      allowances.set(url, Math.min(allowanceOf(url) * 2, MAX_ALLOWANCE))
      return first?.prepared
    },
    /** Removes what has waited for a quarter of a second, and what `isUnwanted`. */
    takeOut(isUnwanted: (prepared: PreparedDelivery) => boolean, now: number): PreparedDelivery[] {
      const taken: PreparedDelivery[] = []
      for (const [url, line] of [...lines]) {
        if (line.some((one) => isStale(one, now))) allowances.set(url, Math.max(allowanceOf(url) >> 1, 1))
        const [going, staying] = partition(line, (one) => isStale(one, now) || isUnwanted(one.prepared))
        taken.push(...going.map(({ prepared }) => prepared))
        if (staying.length > 0) lines.set(url, staying)
        else lines.delete(url)
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
  rank: (first: Waiting) => number | undefined,
): string | undefined {
  let best: { url: string; place: number } | undefined
  for (const [url, [first]] of lines) {
    const place = first && rank(first)
    if (place !== undefined && (!best || place < best.place)) best = { url, place }
  }
  return best?.url
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  const { yes = [], no = [] } = Object.groupBy(items, (item) => (test(item) ? 'yes' : 'no'))
  return [yes, no]
}
