import type { Db } from '../../db/schema.ts'
import { useDueDrafts } from '../../entries/history/scheduled-draft.ts'
import { createLoop, type Loop } from '../../lib/background/loop.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { findDueMoment } from '../../publish/plan/find-due-moment.ts'
import { isHeldBack } from '../../publish/release/roll-back.ts'
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
 * Publishes entries when they are due to appear or disappear, and scheduled drafts, including those that came due while the program was
 * stopped: the last publish records the time up to which the site is correct. A site that was rolled back stays
 * unchanged.
 */
export function createPublishSchedule(options: ScheduleOptions): Loop {
  const { db, place, publisher, now, log, lookEveryMs = LOOK_EVERY_MS } = options

  const reported = new Set<number>()

  async function publishIfDue(): Promise<number> {
    if (publisher.isRunning()) return lookEveryMs
    const nextDraft = await useDrafts()
    const due = await findDueMoment(db, place, now())
    const wait = (at: string | undefined) =>
      at === undefined ? lookEveryMs : Math.min(Date.parse(at) - now().getTime(), lookEveryMs)
    if (due === undefined || wait(due) > 0) return Math.max(Math.min(wait(due), wait(nextDraft)), 0)
    await publisher.publish({ startedBy: 'schedule' })
    return lookEveryMs
  }

  // Returns when the next one is due.
  async function useDrafts(): Promise<string | undefined> {
    if (await isHeldBack(db, place)) return undefined
    const { refused, next } = await useDueDrafts(db, { now: now() })
    for (const { entry, versionId, problems } of refused) {
      if (reported.has(versionId)) continue
      reported.add(versionId)
      log.error({ entry: entry.id, problems: problems.map(({ code }) => code) }, logTexts.draftNotPublished)
    }
    return next
  }

  return createLoop({
    everyMs: lookEveryMs,
    afterErrorMs: RETRY_AFTER_MS,
    turn: async () => ({ pauseMs: await publishIfDue() }),
    failure: logTexts.scheduledPublishFailed,
    log,
  })
}
