import type { SubmissionOutcome } from '../submission.ts'

/** The deadline of a post. After it, nothing more is started for the post. */
export interface PostDeadline {
  isOver(): boolean
  /** Waits for work with a deadline of its own, such as files on their way to a bucket. That time does not count. */
  besides<T>(work: Promise<T>): Promise<T>
  /** Marks the start of the transaction that stores the post: from now on it may be stored. */
  beginCommit(): void
}

/**
 * Resolves with the result of `work`, or with `unavailable` after `withinMs`. Without `withinMs` it waits for `work` to
 * end. A post whose transaction had started by then may still be stored.
 */
export async function answerWithin(
  withinMs: number | undefined,
  work: (deadline: PostDeadline) => Promise<SubmissionOutcome>,
): Promise<SubmissionOutcome> {
  let isOver = false
  let mayBeStored = false
  const late = Promise.withResolvers<SubmissionOutcome>()
  const timer = createTimer(withinMs, () => {
    isOver = true
    late.resolve(unavailable({ mayBeStored }))
  })
  const working = work({
    isOver: () => isOver,
    async besides(other) {
      timer.pause()
      return other.finally(timer.resume)
    },
    beginCommit() {
      mayBeStored = true
    },
  })
  try {
    return await Promise.race([working, late.promise])
  } finally {
    timer.pause()
  }
}

function createTimer(withinMs: number | undefined, onEnd: () => void) {
  let leftMs = withinMs ?? Number.POSITIVE_INFINITY
  let startedAt = 0
  let timeout: NodeJS.Timeout | undefined
  function resume() {
    startedAt = performance.now()
    if (withinMs !== undefined) timeout = setTimeout(onEnd, leftMs)
  }
  resume()
  return {
    resume,
    pause() {
      clearTimeout(timeout)
      leftMs = Math.max(0, leftMs - (performance.now() - startedAt))
    },
  }
}

export function unavailable({ mayBeStored }: { mayBeStored: boolean }): SubmissionOutcome {
  return mayBeStored ? { kind: 'unavailable', mayBeStored } : { kind: 'unavailable' }
}
