import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'
import { Failure } from '../../lib/messages.ts'
import { joinProgress, type Progress, silentProgress } from '../../lib/progress.ts'
import { startupTexts } from '../../messages/server/startup.ts'
import type { PublishOutcome } from '../../publish/record-publish.ts'
import type { PublishRequest } from '../../publish/warm/warm-calls.ts'

const STDERR = 2

/** Publishes in separate processes, one at a time: rendering must not delay visitors. */
export interface Publisher {
  /**
   * Publishes the current content, or for a schedule its own entries. While a publish runs, further requests are merged
   * into one, of everything unless all of them are schedules. An approved preview is published on its own. Resolves when
   * the content at the time of the call is published, without an outcome if the publisher stops first; throws if
   * publishing fails.
   */
  publish(request: PublishRequest, progress?: Progress): Promise<PublishOutcome | undefined>
  isRunning(): boolean
  /** Returns true if another publish follows the running one. */
  isQueued(): boolean
  /** Aborts the running publish and starts no other; the site is unchanged. */
  stop(): Promise<void>
}

type Publishing = Promise<PublishOutcome | undefined>
/** Publishes in another process. */
type Run = (request: PublishRequest, options: { signal: AbortSignal; progress: Progress }) => Publishing

interface Waiting {
  request: PublishRequest
  progress: Progress
  done: Publishing
}

export function createPublisher(run: Run): Publisher {
  const stopping = new AbortController()
  const { signal } = stopping
  let current: Publishing | undefined
  let next: Waiting | undefined

  function start(request: PublishRequest, progress: Progress): Publishing {
    if (signal.aborted) return Promise.resolve(undefined)
    const running = run(request, { signal, progress }).finally(() => {
      if (current === running) current = undefined
    })
    current = running
    return running
  }

  function startAfter(before: Publishing, request: PublishRequest, progress: Progress): Publishing {
    const waiting: Waiting = {
      request,
      progress,
      done: before.catch(() => {}).then(() => startWaiting(waiting)),
    }
    next = waiting
    return waiting.done
  }

  function startWaiting(waiting: Waiting): Publishing {
    if (next === waiting) next = undefined
    return start(waiting.request, waiting.progress)
  }

  function join(waiting: Waiting, request: PublishRequest, progress: Progress): Publishing {
    waiting.request = {
      ...joinRequests(waiting.request, request),
      full: waiting.request.full || request.full,
    }
    waiting.progress = joinProgress(waiting.progress, progress)
    return waiting.done
  }

  return {
    publish(request, progress = silentProgress) {
      if (next && canJoin(next.request, request)) return join(next, request, progress)
      const before = next?.done ?? current
      return before ? startAfter(before, request, progress) : start(request, progress)
    },
    isRunning: () => current !== undefined,
    isQueued: () => next !== undefined,
    async stop() {
      stopping.abort()
      await Promise.allSettled([current, next?.done])
    },
  }
}

// Other pages than the approved ones would make a publish fail, as would a rollback before the later request.
function canJoin(waiting: PublishRequest, request: PublishRequest): boolean {
  if (waiting.approved || request.approved) return false
  const isSchedule = [waiting, request].some(({ startedBy }) => startedBy === 'schedule')
  return isSchedule || waiting.lastRollbackId === request.lastRollbackId
}

// The request that publishes more replaces the other; two selections are merged.
function joinRequests(waiting: PublishRequest, request: PublishRequest): PublishRequest {
  if (waiting.startedBy === 'schedule') return request
  if (request.startedBy === 'schedule' || !waiting.only) return waiting
  return request.only ? { ...request, only: [...waiting.only, ...request.only] } : request
}

/** Configuration that a build shares with its server. */
export type BuildConfig = Pick<
  Config,
  'siteUrl' | 'port' | 'dataDir' | 'databaseUrl' | 'contentDir' | 'filePlace'
>

/** Runs `npm run build` with the server's configuration. */
export async function buildAtStart(config: BuildConfig, signal: AbortSignal): Promise<void> {
  const script = fileURLToPath(import.meta.resolve('#scripts/build.ts'))
  const child = spawn(process.execPath, [script, '--started-by', 'start'], {
    // Its progress is for people and stays out of the log on stdout.
    stdio: ['ignore', STDERR, 'inherit'],
    env: { ...process.env, ...environmentOf(config) },
  })
  const kill = () => child.kill()
  signal.addEventListener('abort', kill)
  const [code] = await once(child, 'close')
  signal.removeEventListener('abort', kill)
  if (code !== 0 && !signal.aborted) throw new Failure(startupTexts, 'siteNotBuilt')
}

// The server's configuration may not come from its environment.
function environmentOf({ siteUrl, port, dataDir, databaseUrl, contentDir }: BuildConfig) {
  return {
    SITE_URL: siteUrl,
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    CONTENT_DIR: contentDir,
  }
}
