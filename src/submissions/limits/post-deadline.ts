import type { SubmissionOutcome } from '../submission.ts'

/** The time that a post has. Once it is over, nothing more is begun for it. */
export interface PostDeadline {
  isOver(): boolean
  /** To be called when the transaction that stores the post begins: from now on it may be stored. */
  beginCommit(): void
}

/**
 * Resolves with what `work` comes to, or after `withinMs` with `unavailable`. Without `withinMs` it waits for `work` to
 * end. A post whose transaction had begun by then may still be stored.
 */
export async function answerWithin(
  withinMs: number | undefined,
  work: (deadline: PostDeadline) => Promise<SubmissionOutcome>,
): Promise<SubmissionOutcome> {
  let isOver = false
  let mayBeStored = false
  const working = work({
    isOver: () => isOver,
    beginCommit() {
      mayBeStored = true
    },
  })
  if (withinMs === undefined) return working
  const late = Promise.withResolvers<SubmissionOutcome>()
  const timer = setTimeout(() => {
    isOver = true
    late.resolve(unavailable({ mayBeStored }))
  }, withinMs)
  try {
    return await Promise.race([working, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

export function unavailable({ mayBeStored }: { mayBeStored: boolean }): SubmissionOutcome {
  return mayBeStored ? { kind: 'unavailable', mayBeStored } : { kind: 'unavailable' }
}
