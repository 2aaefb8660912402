import { once } from 'node:events'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { createTurns } from './turns.ts'

/** A thread that answers one message after another. */
export interface AskedThread<Question, Answer> {
  /** Throws if the thread ends without an answer. The next call starts another. */
  ask(question: Question): Promise<Answer>
  end(): Promise<void>
}

/** Opens a thread, which the first question starts and which ends after this idle time, if given. */
export function openAskedThread<Question, Answer>(
  script: URL,
  { idleMs, ...options }: Pick<WorkerOptions, 'workerData'> & { idleMs?: number } = {},
): AskedThread<Question, Answer> {
  const inTurn = createTurns()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = new Worker(script, options)
    started.once('exit', () => {
      if (thread === started) thread = undefined
    })
    // The `once` below rejects with the error. A thread that fails ends.
    return started.on('error', () => {})
  }

  async function answerOf(question: Question): Promise<Answer> {
    clearTimeout(idle)
    thread ??= start()
    const asked = thread
    // Keeps the process alive until the answer arrives. An idle thread doesn't (`unref` below).
    asked.ref()
    const given = new AbortController()
    const { signal } = given
    const ended = once(asked, 'exit', { signal }).then(() => {
      throw new Error('The thread ended without an answer')
    })
    try {
      asked.postMessage(question)
      const [answer] = await Promise.race([once(asked, 'message', { signal }), ended])
      return answer
    } finally {
      ended.catch(() => {})
      given.abort()
      asked.unref()
      if (idleMs !== undefined) idle = setTimeout(end, idleMs).unref()
    }
  }

  async function end() {
    const ending = thread
    thread = undefined
    await ending?.terminate()
  }

  return { ask: (question) => inTurn(() => answerOf(question)), end }
}
