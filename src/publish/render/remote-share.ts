import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SameAddress } from '../addresses/same-address.ts'
import type { ShareAnswer, ShareCall } from './share-process.ts'
import type { PageShare, ShareOptions } from './share-work.ts'

const SCRIPT = fileURLToPath(new URL('share-process.ts', import.meta.url))

/** A share of the work in a process of its own. */
export interface RemoteShare extends PageShare {
  /** Resolves when it listens. */
  ready(): Promise<void>
  join(databaseUrl: string, token: string): Promise<void>
  /** Reads the content of that moment; asked for early, it is done while this process reads it too. */
  load(options: { siteUrl: string; now: Date }): Promise<void>
  start(options: ShareOptions, bundleFolder: string): Promise<void>
  /** Ends the process, whatever it does. */
  kill(): void
}

/** Starts the process; it works when it is called. */
export function startRemoteShare(): RemoteShare {
  const child = fork(SCRIPT, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const call = createCaller(child)
  return {
    ready: () => call({ call: 'ready' }) as Promise<void>,
    join: (databaseUrl, token) => call({ call: 'join', databaseUrl, token }) as Promise<void>,
    load: ({ siteUrl, now }) => call({ call: 'load', siteUrl, now: now.toISOString() }) as Promise<void>,
    start: (options, bundleFolder) => call({ call: 'start', options, bundleFolder }) as Promise<void>,
    range: (range) => call({ call: 'range', range }) as ReturnType<PageShare['range']>,
    keep: () => call({ call: 'keep' }) as ReturnType<PageShare['keep']>,
    flush: () => call({ call: 'flush' }) as ReturnType<PageShare['flush']>,
    links: () => call({ call: 'links' }) as ReturnType<PageShare['links']>,
    close: () => call({ call: 'close' }) as ReturnType<PageShare['close']>,
    kill: () => child.kill('SIGKILL'),
  }
}

// The process answers in the order it was asked.
function createCaller(child: ChildProcess) {
  const waiting: { resolve(result: unknown): void; reject(error: Error): void }[] = []
  let ended: Error | undefined
  child.on('message', (answer: ShareAnswer) => {
    const caller = waiting.shift()
    if ('sameAddress' in answer) caller?.reject(new SameAddress(answer.sameAddress))
    else if ('failure' in answer) caller?.reject(new Error(answer.failure))
    else caller?.resolve(answer.result)
  })
  child.on('close', (code, signal) => {
    ended = new Error(`A process that rendered pages ended early (${signal ?? code})`)
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
