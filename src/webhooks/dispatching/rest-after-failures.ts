import { setTimeout } from 'node:timers/promises'
import type { FinishedAttempt } from './record-attempts.ts'

const TIMES_THE_TURN = 3
const LONGEST_MS = 50

/**
 * Keeps a broken receiver from taking the server's time. One that refuses at once has its backlog tried one by one, each
 * with a wait for the disk, and new leads wait behind: after failures alone the next turn comes three times later than the
 * last one took.
 */
export function createRest() {
  let until = 0

  return {
    /** Resolves when the rest is over. */
    async take() {
      const left = until - performance.now()
      if (left > 0) await setTimeout(left)
    },
    /** Begins a rest when a turn that took `turnMs` wrote down failures alone. */
    begin(finished: readonly FinishedAttempt[], turnMs: number) {
      const areFailures = finished.every(({ attempt }) => attempt.kind !== 'delivered')
      const restMs = finished.length > 0 && areFailures ? TIMES_THE_TURN * turnMs : 0
      until = performance.now() + Math.min(restMs, LONGEST_MS)
    },
  }
}
