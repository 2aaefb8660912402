import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Failure } from '../../lib/messages.ts'
import type { Progress } from '../../lib/progress.ts'
import { publishFailures } from '../../messages/server/publishing.ts'
import { showStep, type WarmAnswer, type WarmCall, type WarmPlace, type WarmResult } from './warm-calls.ts'

const SCRIPT = fileURLToPath(new URL('./warm-process.ts', import.meta.url))
const STDERR = 2
const IDLE_MS = 10 * 60_000
// A small publish needs about 250 MiB at 100,000 pages. Comparing every page of a large site needs far more.
const MOST_BYTES = 400 * 1024 ** 2

export interface Limits {
  /** Ends the process after this idle time. */
  idleMs?: number
  /** Replaces a process that uses more memory than this once it has answered. */
  mostBytes?: number
  /** Ends the process after each call. */
  isForOneCall?: boolean
}

interface Asking {
  /** Ends the process when aborted. */
  signal: AbortSignal
  progress: Progress
}

/**
 * Keeps a process running between calls, which run one after another. If it has ended, the next call starts another.
 */
export function keepProcess(
  site: WarmPlace,
  { idleMs = IDLE_MS, mostBytes = MOST_BYTES, isForOneCall = false }: Limits = {},
) {
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined

  function start(): ChildProcess {
    const started = startProcess(site)
    started.once('close', () => {
      if (child === started) child = undefined
    })
    return started
  }

  async function end() {
    clearTimeout(idle)
    const ending = child
    child = undefined
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    ending.kill()
    await once(ending, 'close')
  }

  // Its last answer may already be on the way: the next call must not go to a process that is about to end.
  function kill() {
    child?.kill()
    child = undefined
  }

  // The next call would wait for seconds until another process has started.
  async function keepReady({ bytes }: { bytes: number }) {
    if (bytes > mostBytes) {
      await end()
      child = start()
    }
    idle = setTimeout(end, idleMs).unref()
  }

  async function ask(call: WarmCall, { signal, progress }: Asking): Promise<WarmResult> {
    signal.throwIfAborted()
    clearTimeout(idle)
    child ??= start()
    const asked = child
    const kill = () => asked.kill()
    signal.addEventListener('abort', kill)
    const answer = await answerOf(asked, call, progress).finally(() =>
      signal.removeEventListener('abort', kill),
    )
    if (answer.kind === 'done' && !isForOneCall) await keepReady(answer)
    else await end()
    if (answer.kind === 'outdated') return ask(call, { signal, progress })
    if (answer.kind === 'failed') throw new Error(answer.message)
    return answer.result
  }

  return { ask, end, kill, processId: () => child?.pid }
}

function startProcess(site: WarmPlace): ChildProcess {
  return fork(SCRIPT, {
    // Everyone on the machine can read arguments, and these contain passwords.
    env: { ...process.env, WARM_PLACE: JSON.stringify(site) },
    serialization: 'advanced',
    stdio: ['ignore', STDERR, 'inherit', 'ipc'],
  })
}

type LastAnswer = Exclude<WarmAnswer, { kind: 'step' }>

function answerOf(child: ChildProcess, call: WarmCall, progress: Progress): Promise<LastAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<LastAnswer>()
  const hear = (answer: WarmAnswer) =>
    answer.kind === 'step' ? showStep(progress, answer.step) : resolve(answer)
  const close = (code: number | null, signal: NodeJS.Signals | null) =>
    reject(new Failure(publishFailures, 'workerEnded', signal ?? code))
  child.on('message', hear).once('close', close).once('error', reject)
  child.send(call, (error) => error && reject(error))
  return promise.finally(() => child.off('message', hear).off('close', close).off('error', reject))
}
