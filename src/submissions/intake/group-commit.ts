import { setImmediate as nextTurn } from 'node:timers/promises'

const MAX_BATCH = 64

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Lets items that arrive at the same time share one transaction. `commitAll` runs the transaction and returns the
 * results in the order of its items, or throws and leaves nothing behind. The returned function resolves with an
 * item's result. Invariant: an item is in `waiting`, in the one running batch, or settled, and it settles only after
 * its transaction has committed or rolled back. Batches run one at a time, so the writers of this process never wait
 * for each other's lock. An item whose caller has given up (`isGivenUp`) is rejected instead of committed. If a
 * shared transaction fails, each item is tried alone, so that a bad one fails alone. If the storage itself fails
 * (`concernsAll`), the whole batch fails at once: another 64 tries would only delay everyone. If the database is another
 * process (`isRemote`), it gets the next batch before the results of the last one are returned, so that neither waits.
 */
export function createGroupCommit<Item, Result>({
  commitAll,
  concernsAll,
  isGivenUp = () => false,
  maxBatch = MAX_BATCH,
  isRemote = false,
}: {
  commitAll: (items: readonly Item[]) => Promise<readonly Result[]>
  concernsAll: (error: unknown) => boolean
  isGivenUp?: (item: Item) => boolean
  maxBatch?: number
  isRemote?: boolean
}): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let isRunning = false

  async function run() {
    isRunning = true
    // Items read in this turn of the event loop join.
    await nextTurn()
    while (waiting.length > 0) {
      dropGivenUp()
      if (waiting.length > 0) await settle(waiting.splice(0, maxBatch))
      if (!isRemote) await nextTurn()
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
      const returnAll = () => {
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
      }
      if (isRemote) setImmediate(returnAll)
      else returnAll()
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
