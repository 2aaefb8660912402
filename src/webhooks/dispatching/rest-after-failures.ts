import { setTimeout } from 'node:timers/promises'
import type { FinishedAttempt } from './record-attempts.ts'

const TIMES_THE_TURN = 3
const LONGEST_MS = 50

/**
 * Keeps a broken receiver from using up the server's time. The backlog of a receiver that refuses at once would be
 * tried row by row, each with a wait for the disk, while new leads wait behind it. After a turn with nothing but
 * failures, the next one starts after three times as long as the last one took.
 */
export function createRest() {
  let until = 0

  return {
    /** Resolves when the rest is over. */
    async take() {
      const left = until - performance.now()
      if (left > 0) await setTimeout(left)
    },
    /** Starts a rest after a turn of `turnMs` that recorded nothing but failures. */
    begin(finished: readonly FinishedAttempt[], turnMs: number) {
      const areFailures = finished.every(({ attempt }) => attempt.kind !== 'delivered')
      const restMs = finished.length > 0 && areFailures ? TIMES_THE_TURN * turnMs : 0
      until = performance.now() + Math.min(restMs, LONGEST_MS)
    },
  }
}
