/** Does work for each item, `atOnce` at a time. After a failure, starts no more, and throws it once all have ended. */
export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  { atOnce, signal }: { atOnce: number; signal?: AbortSignal | undefined },
): Promise<void> {
  const left = items.values()
  let hasFailed = false
  const worker = async () => {
    for (const item of left) {
      if (hasFailed) return
      signal?.throwIfAborted()
      await work(item).catch((error) => {
        hasFailed = true
        throw error
      })
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker))
  const failure = ended.find((one) => one.status === 'rejected')
  if (failure) throw failure.reason
}
