import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Failure } from '../../lib/messages.ts'
import { publishFailures } from '../../messages/server/publishing.ts'
import type { Calls, ShareAnswer, ShareCall } from './share-process.ts'

const SCRIPT = fileURLToPath(new URL('./share-process.ts', import.meta.url))

const CALLS: readonly (keyof Calls)[] = [
  'ready',
  'prepare',
  'join',
  // Requested early, so that both processes read the content at the same time.
  'load',
  'start',
  'range',
  'finish',
]

/** Part of the work in its own process, which listens once `ready` resolves. */
export type RemoteShare = Calls & {
  /** Ends the process, even in the middle of work. */
  kill(): void
}

let spare: { share: RemoteShare; child: ChildProcess } | undefined

/**
 * Starts a process with loaded templates, which the next `startRemoteShare` returns. Starting takes as long as rendering
 * a thousand pages.
 */
export function keepSpareShare(folder: string): void {
  if (spare?.child.connected) return
  spare = start()
  // It is loaded then, or fails when it is used.
  spare.share.prepare(folder).catch(() => {})
}

/** Starts the process, which then waits for its first call. */
export function startRemoteShare(): RemoteShare {
  const found = spare?.child.connected ? spare : start()
  spare = undefined
  return found.share
}

function start() {
  const child = fork(SCRIPT, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ask = createCaller(child)
  const asks = CALLS.map((call) => [call, (...args: unknown[]) => ask({ call, args })] as const)
  const calls = Object.fromEntries(asks) as unknown as Calls
  const kill = () => child.kill('SIGKILL')
  async function finish() {
    await calls.finish()
    // Completing the release needs memory of its own.
    kill()
  }
  return { child, share: { ...calls, finish, kill } }
}

// The process answers in the order of the calls.
function createCaller(child: ChildProcess) {
  const waiting: { resolve(result: unknown): void; reject(error: Error): void }[] = []
  let ended: Error | undefined
  child.on('message', (answer: ShareAnswer) => {
    const caller = waiting.shift()
    if ('failure' in answer) caller?.reject(new Error(answer.failure))
    else caller?.resolve(answer.result)
  })
  child.on('close', (code, signal) => {
    ended = new Failure(publishFailures, 'workerEnded', signal ?? code)
    for (const { reject } of waiting.splice(0)) reject(ended)
  })
  child.on('error', () => {})
  return (message: ShareCall) =>
    new Promise<unknown>((resolve, reject) => {
      if (ended) return reject(ended)
      waiting.push({ resolve, reject })
      child.send(message)
    })
}
