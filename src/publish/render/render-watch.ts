import { Worker } from 'node:worker_threads'
import { Failure } from '../../lib/messages.ts'
import { publishFailures } from '../../messages/server/publishing.ts'
import { findSourcePlace } from './source-place.ts'
import type { LateWork, WatchedWork } from './watch-thread.ts'

const WITHIN_MS = 30_000

/** Ends work that takes too long, even in an endless loop. One at a time. */
export interface RenderWatch {
  /** Returns the result of work with a bundle. Throws with the file and line that runs then, if it takes too long. */
  during<T>(bundleFolder: string, work: () => Promise<T>): Promise<T>
}

/**
 * Watches templates. A thread looks at a counter every second: a timer or a thread for each page would cost more than some
 * pages. It starts with the first work, and doesn't keep the process from ending.
 */
export function watchRendering({ withinMs = WITHIN_MS } = {}): RenderWatch {
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  let thread: Worker | undefined
  let folder = ''
  let fail: (error: Error) => void = () => {}

  function start(): Worker {
    const workerData: WatchedWork = { turns, withinMs }
    const started = new Worker(new URL('./watch-thread.ts', import.meta.url), { workerData, execArgv: [] })
    // Without a thread, pages are rendered unwatched.
    started.on('error', () => {})
    return started.on('message', ({ turn, stack }: LateWork) => {
      if (turns[0] !== turn) return
      const place = findSourcePlace(folder, stack)
      fail(
        place === undefined
          ? new Failure(publishFailures, 'tooLate', withinMs / 1_000)
          : new Failure(publishFailures, 'tooLateAt', place, withinMs / 1_000),
      )
    })
  }

  return {
    async during<T>(bundleFolder: string, work: () => Promise<T>) {
      thread ??= start()
      thread.ref()
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      folder = bundleFolder
      fail = reject
      Atomics.add(turns, 0, 1)
      // An ended loop takes along every function that doesn't wait yet, so this one has to.
      Promise.resolve().then(work).then(resolve, reject)
      try {
        return await promise
      } finally {
        Atomics.add(turns, 0, 1)
        thread.unref()
      }
    },
  }
}

/** The watch of this process. */
export const processWatch = watchRendering()
