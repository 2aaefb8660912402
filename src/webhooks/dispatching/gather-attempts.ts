import { setImmediate } from 'node:timers/promises'
import type { Alarm } from '../../lib/background/alarm.ts'
import type { AttemptRunner } from './attempt-runner.ts'

const GATHER_MS = 20

/**
 * Resolves when it is time to record attempts: those that have ended, and more of them while the queue is long. `alarm`
 * rings when there is nothing more urgent to do.
 */
export async function gatherAttempts(
  runner: Pick<AttemptRunner, 'finishedCount' | 'isBusy'>,
  alarm: Alarm,
): Promise<void> {
  const start = performance.now()
  let before: number
  do {
    before = runner.finishedCount()
    await setImmediate()
  } while (runner.finishedCount() > before)
  while (runner.isBusy()) {
    const left = start + GATHER_MS - performance.now()
    if (left <= 0) return
    await alarm.sleep(left)
  }
}
