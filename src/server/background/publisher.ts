import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'
import { Failure } from '../../lib/messages.ts'
import { startupTexts } from '../../messages/server/startup.ts'
import type { Starter } from '../../publish/record-publish.ts'

const STDERR = 2

/** Publishes in processes of their own, one at a time: rendering must not hold up visitors. */
export interface Publisher {
  /**
   * Publishes what the content is now, or for a schedule its own entries. While one runs, all further wishes become one
   * more, of everything unless all of them are schedules. Resolves when the content of this moment is published; throws
   * when it could not be.
   */
  publish(starter: Starter): Promise<void>
  isRunning(): boolean
  /** Whether one more follows the one that runs. */
  isQueued(): boolean
  /** Ends what runs, and begins nothing more; the site stays as it is. */
  stop(): Promise<void>
}

export function createPublisher(run: (starter: Starter, signal: AbortSignal) => Promise<void>): Publisher {
  const stopping = new AbortController()
  let current: Promise<void> | undefined
  let next: { starter: Starter; done: Promise<void> } | undefined

  function start(starter: Starter): Promise<void> {
    if (stopping.signal.aborted) return Promise.resolve()
    const running = run(starter, stopping.signal).finally(() => {
      if (current === running) current = undefined
    })
    current = running
    return running
  }

  function startAfter(before: Promise<void>, starter: Starter): Promise<void> {
    const waiting = { starter, done: before.catch(() => {}).then(startNext) }
    next = waiting
    return waiting.done
  }

  async function startNext() {
    const starter = next?.starter
    next = undefined
    if (starter) await start(starter)
  }

  function join(waiting: NonNullable<typeof next>, starter: Starter): Promise<void> {
    if (waiting.starter.startedBy === 'schedule') waiting.starter = starter
    return waiting.done
  }

  return {
    publish(starter) {
      if (next) return join(next, starter)
      return current ? startAfter(current, starter) : start(starter)
    },
    isRunning: () => current !== undefined,
    isQueued: () => next !== undefined,
    async stop() {
      stopping.abort()
      await Promise.allSettled([current, next?.done])
    },
  }
}

/** What of the configuration a build of a server has to share. */
export type BuildConfig = Pick<Config, 'siteUrl' | 'port' | 'dataDir' | 'databaseUrl' | 'contentDir'>

/** Runs `npm run build` for a server: of its configuration, without reading content files unless it is told to. */
export function buildProcess(config: BuildConfig) {
  const script = fileURLToPath(import.meta.resolve('#scripts/build.ts'))
  return async ({ startedBy, userId }: Starter, signal: AbortSignal): Promise<void> => {
    const user = userId === undefined ? [] : ['--user', String(userId)]
    const sync = startedBy === 'start' ? [] : ['--skip-sync']
    const child = spawn(process.execPath, [script, '--started-by', startedBy, ...user, ...sync], {
      // What it tells people is no part of the log on stdout.
      stdio: ['ignore', STDERR, 'inherit'],
      env: { ...process.env, ...environmentOf(config) },
    })
    const kill = () => child.kill()
    signal.addEventListener('abort', kill)
    const [code] = await once(child, 'close')
    signal.removeEventListener('abort', kill)
    if (code !== 0 && !signal.aborted) throw new Failure(startupTexts, 'siteNotBuilt')
  }
}

// The server's may come from elsewhere than its environment.
function environmentOf({ siteUrl, port, dataDir, databaseUrl, contentDir }: BuildConfig) {
  return {
    SITE_URL: siteUrl,
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    CONTENT_DIR: contentDir,
  }
}
