import { withFreeLock } from '../../db/file-lock.ts'
import { type Listening, listenTo } from '../../db/postgres/listen.ts'
import type { Db } from '../../db/schema.ts'
import type { FilePlace } from '../../files/file-store.ts'
import { createLoop } from '../../lib/background/loop.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { publishLock } from '../publish-lock.ts'
import { findCurrentRelease, hasRelease } from '../release/release.ts'
import { openTakeThread } from './open-take-thread.ts'
import {
  deleteReleaseServer,
  listSharedReleases,
  readSharedState,
  type SharedState,
  SITE_CHANNEL,
  saveReleaseServer,
} from './shared-release-store.ts'
import type { SharedSite } from './shared-site.ts'
import { showLive } from './take-live.ts'

const LOOK_EVERY_MS = 1_000
const AFTER_ERROR_MS = 2_000
const REPORT_EVERY_MS = 4_000

/** Brings what other servers publish to this one. */
export interface SiteFollower extends Worker {
  /** Starts; resolves when this server shows the live release, or there is none yet. */
  join(): Promise<void>
  /** Returns whether this server has shown the live release since it started, or there was none. */
  hasJoined(): boolean
  /** Resolves once this server shows the live release, if others may already show it. */
  settle(): Promise<void>
  /** Fetches a folder stored by another server; returns false if there is none. */
  bring(place: string, folder: string): Promise<boolean>
  /** Returns the site's state as last read. */
  state(): SharedState | undefined
}

interface FollowOptions {
  /** A database that answers quickly. */
  db: Db
  databaseUrl: string
  dataDir: string
  filePlace: FilePlace
  shared: SharedSite
  log: Pick<Log, 'error'>
  /** Called when another server is about to publish, so that whatever holds the lock on the releases can give way. */
  onNext?: (() => void) | undefined
}

/**
 * Follows a shared site's live release: prepares the next one and switches within 2 seconds of its going live.
 * Notified by PostgreSQL's `NOTIFY`, and polls every second.
 */
export function followSite(options: FollowOptions): SiteFollower {
  const { db, databaseUrl, shared, log } = options
  const joined = Promise.withResolvers<void>()
  let hasJoined = false
  let listening: Listening | undefined
  let state: SharedState | undefined
  const lookOnce = oneForAll(look)
  const disk = openDisk(options)

  async function look() {
    state = await readSharedState(db)
    const { nextId, liveId } = state
    for (const id of [nextId, liveId]) if (id !== undefined) await disk.prepare(id)
    const isShown = liveId === undefined || (await disk.show(liveId))
    await disk.report(nextId ?? liveId)
    if (!isShown) return
    hasJoined = true
    joined.resolve()
  }

  const failure = logTexts.siteNotFollowed
  const loop = createLoop({ everyMs: LOOK_EVERY_MS, afterErrorMs: AFTER_ERROR_MS, turn: look, failure, log })
  function start() {
    if (listening) return
    listening = listenTo(databaseUrl, SITE_CHANNEL, loop.wake)
    loop.start()
  }
  return {
    start,
    async join() {
      start()
      await joined.promise
    },
    hasJoined: () => hasJoined,
    state: () => state,
    async settle() {
      if (state?.nextId !== undefined) await lookOnce().catch(() => {})
    },
    bring: disk.bring,
    async stop() {
      joined.resolve()
      await Promise.all([listening?.close(), loop.stop(), disk.end()])
      if (listening)
        await deleteReleaseServer(db, shared.server).catch((err) =>
          log.error({ err }, logTexts.signOffFailed),
        )
    },
  }
}

// Many callers may ask at once.
function oneForAll(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}

// This server's releases.
function openDisk({ db, dataDir, filePlace, shared, onNext }: FollowOptions) {
  const thread = openTakeThread({ dataDir, filePlace })
  let reported = { at: Number.NEGATIVE_INFINITY, what: '' }
  return {
    async prepare(id: string) {
      if (hasRelease(dataDir, id)) return
      onNext?.()
      await thread.take({ kind: 'release', id, releases: await listSharedReleases(db) })
    },
    // A publish on this server switches by itself.
    async show(id: string): Promise<boolean> {
      if (findCurrentRelease(dataDir)?.id === id) return true
      return (await withFreeLock(publishLock(dataDir), () => showLive(db, { dataDir, shared }))) ?? false
    },
    async report(newest: string | undefined) {
      const releaseId = findCurrentRelease(dataDir)?.id ?? null
      const stagedId = newest !== undefined && hasRelease(dataDir, newest) ? newest : null
      const what = `${releaseId} ${stagedId}`
      const at = performance.now()
      if (what === reported.what && at - reported.at < REPORT_EVERY_MS) return
      await saveReleaseServer(db, { server: shared.server, releaseId, stagedId })
      reported = { at, what }
    },
    bring: (place: string, folder: string) => thread.take({ kind: 'folder', place, folder }),
    end: thread.end,
  }
}
