import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { JudgedPassword } from './count-guesses.ts'

/** Someone whose password was refused tries the next one within this time. */
const IDLE_MS = 30_000

let worker: Worker | undefined
let idle: NodeJS.Timeout | undefined
let previous: Promise<unknown> = Promise.resolve()

/**
 * Returns the logarithm (base 10) of the guesses that a password takes. In a thread of its own: loading the word lists
 * and judging one password each take longer than a request may hold up the others. It judges one after another, and
 * ends when nobody asked for a while.
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
  // A command waits for the answer, and not for the end of the thread.
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
  // `once` above rejects with it; a thread that fails ends.
  started.on('error', () => {})
  return started
}

function end() {
  void worker?.terminate()
  worker = undefined
}
