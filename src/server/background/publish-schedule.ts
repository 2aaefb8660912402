import type { Db } from '../../db/schema.ts'
import { findNextScheduledMoment } from '../../entries/entry-schedule-store.ts'
import { createLoop, type Loop } from '../../lib/background/loop.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { machineOf } from '../../publish/publish-lock.ts'
import { findLastSettledPublish } from '../../publish/publish-store.ts'
import type { Publisher } from './publisher.ts'

// A moment may be set or moved at any time, also by another process.
const LOOK_EVERY_MS = 5_000
const RETRY_AFTER_MS = 60_000

interface ScheduleOptions {
  db: Db
  dataDir: string
  publisher: Publisher
  now: () => Date
  log: Pick<Log, 'error'>
  lookEveryMs?: number
}

/**
 * Publishes entries when they are due to appear or disappear, including those that came due while the program was
 * stopped: the last publish records up to when the site is right. A site that was rolled back stays unchanged.
 */
export function createPublishSchedule(options: ScheduleOptions): Loop {
  const { db, dataDir, publisher, now, log, lookEveryMs = LOOK_EVERY_MS } = options

  async function publishIfDue(): Promise<number> {
    const due = publisher.isRunning() ? undefined : await findDueMoment(db, { dataDir, now: now() })
    if (due === undefined) return lookEveryMs
    const waitMs = Date.parse(due) - now().getTime()
    if (waitMs > 0) return Math.min(waitMs, lookEveryMs)
    await publisher.publish({ startedBy: 'schedule' })
    return lookEveryMs
  }

  return createLoop({
    everyMs: lookEveryMs,
    afterErrorMs: RETRY_AFTER_MS,
    turn: async () => ({ pauseMs: await publishIfDue() }),
    failure: logTexts.scheduledPublishFailed,
    log,
  })
}

/** The first moment at which the site is no longer right; it may lie in the future. */
async function findDueMoment(
  db: Db,
  { dataDir, now }: { dataDir: string; now: Date },
): Promise<string | undefined> {
  const last = await findLastSettledPublish(db, machineOf(dataDir))
  if (!last || last.status === 'rolled_back') return undefined
  const next = await findNextScheduledMoment(db, last.startedAt)
  if (last.startedAt <= now.toISOString()) return next
  // The clock was set back: what came between shows too early.
  const between = await findNextScheduledMoment(db, now.toISOString())
  return between !== undefined && between <= last.startedAt ? now.toISOString() : next
}
