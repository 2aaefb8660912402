import { openAskedThread } from '../../lib/background/asked-thread.ts'
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
  const script = new URL('./take-thread.ts', import.meta.url)
  const { ask, end } = openAskedThread<TakeCall, TakeAnswer>(script, { workerData: place })
  return {
    async take(call) {
      const answer = await ask(call)
      if (answer.kind === 'failed') throw new Error(answer.message)
      return answer.kind === 'taken'
    },
    end,
  }
}
