import { openAskedThread } from '../../lib/background/asked-thread.ts'
import type { JudgedPassword } from './count-guesses.ts'

/** Someone whose password was refused tries again within this time. */
const IDLE_MS = 30_000

const thread = openAskedThread<JudgedPassword, number>(new URL('./guesses-worker.ts', import.meta.url), {
  idleMs: IDLE_MS,
})

/**
 * Returns the base-10 logarithm of the number of guesses a password takes. Runs in a thread, because loading
 * the word lists and rating a password both take longer than a request may block others. The thread rates one
 * password at a time and ends when idle.
 */
export function judge(judged: JudgedPassword): Promise<number> {
  return thread.ask(judged)
}
