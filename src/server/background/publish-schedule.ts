import type { Db } from '../../db/schema.ts'
import { createLoop, type Loop } from '../../lib/background/loop.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { findDueMoment } from '../../publish/plan/find-due-moment.ts'
import type { SitePlace } from '../../publish/shared/shared-site.ts'
import type { Publisher } from './publisher.ts'

// A moment may be set or moved at any time, also by another process.
const LOOK_EVERY_MS = 5_000
const RETRY_AFTER_MS = 60_000

interface ScheduleOptions {
  db: Db
  place: SitePlace
  publisher: Publisher
  now: () => Date
  log: Pick<Log, 'error'>
  lookEveryMs?: number
}

/**
 * Publishes entries when they are due to appear or disappear, including those that came due while the program was
 * stopped: the last publish records the time up to which the site is correct. A site that was rolled back stays
 * unchanged.
 */
export function createPublishSchedule(options: ScheduleOptions): Loop {
  const { db, place, publisher, now, log, lookEveryMs = LOOK_EVERY_MS } = options

  async function publishIfDue(): Promise<number> {
    const due = publisher.isRunning() ? undefined : await findDueMoment(db, place, now())
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
