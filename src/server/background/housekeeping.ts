import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { truncateLog } from '../../db/truncate-log.ts'
import type { Limit } from '../../submissions/limits/post-log.ts'
import { deleteRecentPosts } from '../../submissions/limits/recent-post-store.ts'
import { deleteExpiredChallenges } from '../../submissions/limits/spent-challenge-store.ts'
import { applyRetention } from '../../submissions/retention/retention.ts'
import { sweepUploads } from '../../submissions/uploads/upload-sweep.ts'
import { countActivity } from '../dashboard/count-activity.ts'

const HOUR_MS = 3_600_000
const COUNT_MS = 600_000
const DAY_MS = 24 * HOUR_MS
const BATCH = 500

interface HousekeepingOptions {
  db: Kysely<Schema>
  uploadsDir: string
  limits: readonly Limit[]
  now: () => Date
  log: { info(details: object, message: string): void; error(details: object, message: string): void }
}

/**
 * Removes what is kept no longer: submissions past their form's `retention_days` and files of visitors that belong to
 * none, now and every 24 hours; hashes of addresses and used challenges, now and every hour. Counts for the dashboard
 * every 10 minutes. `stop` ends long work after the batch under way and resolves when nothing is.
 */
export function startHousekeeping(options: HousekeepingOptions): { stop(): Promise<void> } {
  const { db, uploadsDir, limits, now, log } = options
  const keepMs = Math.max(HOUR_MS, ...limits.map(({ windowMs }) => windowMs))
  const stopping = new AbortController()
  const daily = repeat(DAY_MS, log, async () => {
    const done = await applyRetention(db, { now: now(), uploadsDir, signal: stopping.signal })
    const removed = done.filter(({ count }) => count > 0)
    if (removed.length > 0) log.info({ removed }, 'submissions past their retention removed')
  })
  const sweep = repeat(DAY_MS, log, async () => {
    await sweepUploads(db, { uploadsDir, now: now() })
  })
  const hourly = repeat(HOUR_MS, log, async () => {
    await deleteExpiredChallenges(db, { now: now() })
    const before = new Date(now().getTime() - keepMs)
    while ((await deleteRecentPosts(db, { before, limit: BATCH })) === BATCH) await nextTurn()
    // Also of what others remove: ended sessions and failed sign-ins, with addresses.
    await truncateLog(db)
  })
  const counting = repeat(COUNT_MS, log, () => countActivity(db, { now: now(), signal: stopping.signal }))
  return {
    async stop() {
      stopping.abort()
      await Promise.all([daily.stop(), sweep.stop(), hourly.stop(), counting.stop()])
    },
  }
}

function repeat(everyMs: number, log: HousekeepingOptions['log'], work: () => Promise<void>) {
  let current: Promise<void> = Promise.resolve()
  const run = () => {
    // One after the other, should one ever take longer than the time between two.
    current = current.then(work).catch((err) => log.error({ err }, 'housekeeping failed'))
  }
  const timer = setInterval(run, everyMs).unref()
  run()
  return {
    stop() {
      clearInterval(timer)
      return current
    },
  }
}
