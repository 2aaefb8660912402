import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { JudgedPassword } from './count-guesses.ts'

/** Someone whose password was refused tries again within this time. */
const IDLE_MS = 30_000

let worker: Worker | undefined
let idle: NodeJS.Timeout | undefined
let previous: Promise<unknown> = Promise.resolve()

/**
 * Returns the base-10 logarithm of the number of guesses a password takes. Runs in a thread, because loading
 * the word lists and rating a password both take longer than a request may block others. The thread rates one
 * password at a time and ends when idle.
 */
export function judge(judged: JudgedPassword): Promise<number> {
  const answer = previous.then(() => ask(judged))
  previous = answer.catch(() => {})
  return answer
}

async function ask(judged: JudgedPassword): Promise<number> {
  clearTimeout(idle)
  worker ??= start()
  const asked = worker
  // Keeps the process alive until the answer arrives. An idle thread doesn't (`unref` below).
  asked.ref()
  const given = new AbortController()
  const { signal } = given
  const ended = once(asked, 'exit', { signal }).then(() => {
    throw new Error('The password was not judged')
  })
  try {
    asked.postMessage(judged)
    const [guesses] = await Promise.race([once(asked, 'message', { signal }), ended])
    return guesses
  } finally {
    ended.catch(() => {})
    given.abort()
    asked.unref()
    idle = setTimeout(end, IDLE_MS).unref()
  }
}

function start(): Worker {
  const started = new Worker(new URL('./guesses-worker.ts', import.meta.url))
  started.once('exit', () => {
    if (worker === started) worker = undefined
  })
  // The `once` above rejects with the error. A thread that fails ends.
  started.on('error', () => {})
  return started
}

function end() {
  void worker?.terminate()
  worker = undefined
}
