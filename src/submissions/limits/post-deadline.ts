import type { SubmissionOutcome } from '../submission.ts'

/** The deadline of a post. After it, no further step is started. */
export interface PostDeadline {
  isOver(): boolean
  /** Runs work that has its own deadline, such as copying files to a bucket. Its time doesn't count. */
  besides<T>(work: Promise<T>): Promise<T>
  /** Marks the start of the transaction: from now on the post may be stored. */
  beginCommit(): void
}

/**
 * Resolves with the result of `work`, or with `unavailable` after `withinMs`. Without `withinMs` it waits
 * indefinitely. If the transaction had already started, the post may still be stored.
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
