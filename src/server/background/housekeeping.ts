import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { deleteEndedSessions } from '../../auth/session-store.ts'
import { forgetFailures } from '../../auth/sign-in-limits.ts'
import type { Schema } from '../../db/schema.ts'
import { updateStatistics } from '../../db/sqlite/plan-statistics.ts'
import { truncateLog } from '../../db/truncate-log.ts'
import { emptyTrash } from '../../entries/trash/empty-trash.ts'
import type { FileStore } from '../../files/file-store.ts'
import { createLoop } from '../../lib/background/loop.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import type { PictureFiles } from '../../pictures/picture-files.ts'
import { sweepPictures } from '../../pictures/sweep-pictures.ts'
import { sweepThumbnails, thumbnailsFolder } from '../../pictures/thumbnails.ts'
import { deleteOldChanges } from '../../publish/changes/change-store.ts'
import { sweepPreviews } from '../../publish/previews/make-preview.ts'
import type { SharedSite } from '../../publish/shared/shared-site.ts'
import type { Limit } from '../../submissions/limits/post-log.ts'
import { deleteRecentPosts } from '../../submissions/limits/recent-post-store.ts'
import { deleteRecentUploads } from '../../submissions/limits/recent-upload-store.ts'
import { deleteExpiredChallenges } from '../../submissions/limits/spent-challenge-store.ts'
import { deleteDailyTraffic } from '../../submissions/results/traffic-store.ts'
import { applyRetention } from '../../submissions/retention/retention.ts'
import { sweepUploads } from '../../submissions/uploads/upload-sweep.ts'
import { countActivity } from '../dashboard/count-activity.ts'
import { createDuty } from '../servers/duty.ts'
import type { Heartbeat } from '../servers/heartbeat.ts'

const HOUR_MS = 3_600_000
const COUNT_MS = 600_000
const DAY_MS = 24 * HOUR_MS
const BATCH = 500
const KEPT_CHANGES_MS = 30 * DAY_MS
/** Days that daily views are kept; monthly and yearly views stay. */
const KEPT_DAYS = 800

interface HousekeepingOptions {
  db: Kysely<Schema>
  files: FileStore
  pictureFiles: PictureFiles
  dataDir?: string
  limits: readonly Limit[]
  /** Undefined on SQLite. */
  heartbeat?: Pick<Heartbeat, 'leads'> | undefined
  /** Defined if several servers run the site. They share visitors' files and previews. */
  shared?: SharedSite | undefined
  now: () => Date
  log: Pick<Log, 'info' | 'error'>
}

/**
 * Removes expired data. Every 24 hours: submissions past their form's `retention_days`, orphaned files of visitors and
 * pictures, and logged changes, trash, and expired previews after 30 days. Every hour: address hashes, used challenges,
 * ended sessions, and failed sign-ins. Updates the dashboard counts every 10 minutes, and SQLite's statistics every 24
 * hours. With several servers, the leader does this for all, and each cleans its own disk. `stop` ends long work after
 * the current batch.
 */
export function createHousekeeping(options: HousekeepingOptions): Worker {
  const { db, heartbeat, log } = options
  const failure = logTexts.housekeepingFailed
  const disk = createLoop({ everyMs: DAY_MS, turn: () => sweepDisk(options), failure, log })
  const duties = Object.entries(listDuties(options)).map(([name, [everyMs, turn]]) =>
    createDuty({ db, heartbeat, name, everyMs, turn, failure, log }),
  )
  // Files that all servers share.
  const sharedDuties = options.shared
    ? [
        createDuty({
          db,
          heartbeat,
          name: 'files',
          everyMs: DAY_MS,
          turn: () => sweepFiles(options),
          failure,
          log,
        }),
      ]
    : []
  const loops = [disk, ...duties, ...sharedDuties]
  return {
    start() {
      for (const loop of loops) loop.start()
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

async function sweepFiles({ db, files, now }: HousekeepingOptions) {
  await sweepUploads(db, { files, now: now() })
}

async function sweepDisk(options: HousekeepingOptions) {
  const { db, pictureFiles, dataDir, shared, now } = options
  if (!shared) await sweepFiles(options)
  await sweepPictures(db, { files: pictureFiles, now: now() })
  if (!dataDir) return
  await sweepThumbnails(db, thumbnailsFolder(dataDir))
  await sweepPreviews(db, { dataDir, shared, now: now() })
}

type Turn = (signal: AbortSignal) => Promise<void>

function listDuties({
  db,
  files,
  limits,
  now,
  log,
}: HousekeepingOptions): Record<string, [everyMs: number, turn: Turn]> {
  const keepMs = Math.max(HOUR_MS, ...limits.map(({ windowMs }) => windowMs))

  async function removeSubmissions(signal: AbortSignal) {
    const done = await applyRetention(db, { now: now(), files, signal })
    const removed = done.filter(({ count }) => count > 0)
    if (removed.length > 0) log.info({ removed }, logTexts.retentionApplied)
  }

  async function removeTraces() {
    await deleteExpiredChallenges(db, { now: now() })
    const before = new Date(now().getTime() - keepMs)
    while ((await deleteRecentPosts(db, { before, limit: BATCH })) === BATCH) await nextTurn()
    await deleteRecentUploads(db, { before })
    await deleteDailyTraffic(db, {
      before: new Date(now().getTime() - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10),
    })
    // A sign-in removes them too, but the next one may be weeks away.
    await deleteEndedSessions(db, { now: now() })
    await forgetFailures(db, { now: now() })
    await truncateLog(db)
  }

  // A site published since doesn't need them, and any other is compared as a whole.
  async function forgetChanges() {
    await deleteOldChanges(db, { before: new Date(now().getTime() - KEPT_CHANGES_MS).toISOString() })
  }

  async function removeTrash(signal: AbortSignal) {
    await emptyTrash(db, { now: now(), signal })
    await truncateLog(db)
  }

  return {
    retention: [DAY_MS, removeSubmissions],
    changes: [DAY_MS, forgetChanges],
    trash: [DAY_MS, removeTrash],
    statistics: [DAY_MS, (signal) => updateStatistics(db, { signal })],
    traces: [HOUR_MS, removeTraces],
    counts: [COUNT_MS, (signal) => countActivity(db, { now: now(), signal })],
  }
}
