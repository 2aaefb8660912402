import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { TakeAnswer, TakeCall, TakingPlace } from './take-thread.ts'

/** Fetches releases and folders from the store in a thread, without delaying visitors. One at a time. */
export interface TakeThread {
  /**
   * Returns false if the store doesn't have it, and for a release while this server publishes. Throws if it fails.
   */
  take(call: TakeCall): Promise<boolean>
  /** Stops; unfinished work is done again later. */
  end(): Promise<void>
}

export function openTakeThread(place: TakingPlace): TakeThread {
  let last: Promise<unknown> = Promise.resolve()
  let running: { thread: Worker; over: AbortSignal } | undefined

  function start() {
    const thread = new Worker(new URL('./take-thread.ts', import.meta.url), { workerData: place })
    thread.unref()
    const ending = new AbortController()
    thread.once('exit', () => {
      running = undefined
      ending.abort()
    })
    return { thread, over: ending.signal }
  }

  async function ask(call: TakeCall): Promise<boolean> {
    running ??= start()
    const { thread, over: signal } = running
    thread.postMessage(call)
    const [answer] = (await once(thread, 'message', { signal })) as [TakeAnswer]
    if (answer.kind === 'failed') throw new Error(answer.message)
    return answer.kind === 'taken'
  }

  return {
    take(call) {
      const asking = last.then(() => ask(call))
      last = asking.catch(() => {})
      return asking
    },
    async end() {
      await running?.thread.terminate()
    },
  }
}
