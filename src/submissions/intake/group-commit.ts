import { setImmediate as nextTurn } from 'node:timers/promises'

const MAX_BATCH = 64

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Lets items that wait at the same moment share one transaction. `commitAll` runs that transaction and returns the
 * results in the order of its items, or throws and leaves nothing behind. The returned function resolves with an
 * item's result.
 *
 * Invariant: an item is in `waiting`, or in the one batch under way, or settled; it is settled only after the
 * transaction that holds it was committed or rolled back. One batch runs at a time, so the writers of this process
 * never wait for each other's lock.
 *
 * An item that `isGivenUp` says nobody waits for any more is rejected instead of committed.
 *
 * When a shared transaction fails, each of its items is tried alone, so that a bad one fails alone. A failure of the
 * whole storage (`concernsAll`) fails the batch at once: trying 64 times more would only hold everyone up.
 */
export function createGroupCommit<Item, Result>({
  commitAll,
  concernsAll,
  isGivenUp = () => false,
  maxBatch = MAX_BATCH,
}: {
  commitAll: (items: readonly Item[]) => Promise<readonly Result[]>
  concernsAll: (error: unknown) => boolean
  isGivenUp?: (item: Item) => boolean
  maxBatch?: number
}): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let isRunning = false

  async function run() {
    isRunning = true
    while (waiting.length > 0) {
      // All that this turn of the event loop has read joins in, and what arrived during the last batch too.
      await nextTurn()
      dropGivenUp()
      if (waiting.length > 0) await settle(waiting.splice(0, maxBatch))
    }
    isRunning = false
  }

  function dropGivenUp() {
    const [kept, dropped] = [[], []] as [Waiting<Item, Result>[], Waiting<Item, Result>[]]
    for (const one of waiting.splice(0)) (isGivenUp(one.item) ? dropped : kept).push(one)
    waiting.push(...kept)
    for (const { reject } of dropped) reject(new Error('It was given up before its commit began'))
  }

  async function settle(batch: readonly Waiting<Item, Result>[]) {
    try {
      const results = await commitAll(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      await settleFailed(batch, error)
    }
  }

  async function settleFailed(batch: readonly Waiting<Item, Result>[], error: unknown) {
    const isFinal = batch.length === 1 || concernsAll(error)
    for (const one of batch) {
      if (isFinal) one.reject(error)
      else await settle([one])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void run()
    })
}
