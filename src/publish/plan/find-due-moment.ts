import type { Db } from '../../db/schema.ts'
import { findNextScheduledMoment } from '../../entries/entry-schedule-store.ts'
import { findLastSettledPublish } from '../publish-store.ts'
import { historyOf, type SitePlace } from '../shared/shared-site.ts'

/** Returns the first time at which the site is out of date; it may be in the future. */
export async function findDueMoment(db: Db, place: SitePlace, now: Date): Promise<string | undefined> {
  const last = await findLastSettledPublish(db, historyOf(place))
  if (!last || last.status === 'rolled_back') return undefined
  const next = await findNextScheduledMoment(db, last.startedAt)
  if (last.startedAt <= now.toISOString()) return next
  // The clock was set back: entries scheduled for the time in between are shown too early.
  const between = await findNextScheduledMoment(db, now.toISOString())
  return between !== undefined && between <= last.startedAt ? now.toISOString() : next
}
