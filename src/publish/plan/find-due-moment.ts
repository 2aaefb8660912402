import type { Db } from '../../db/schema.ts'
import { findNextScheduledMoment } from '../../entries/entry-schedule-store.ts'
import { findLastSettledPublish } from '../publish-store.ts'
import { historyOf, type SitePlace } from '../shared/shared-site.ts'

/** The first moment at which the site is no longer right; it may lie in the future. */
export async function findDueMoment(db: Db, place: SitePlace, now: Date): Promise<string | undefined> {
  const last = await findLastSettledPublish(db, historyOf(place))
  if (!last || last.status === 'rolled_back') return undefined
  const next = await findNextScheduledMoment(db, last.startedAt)
  if (last.startedAt <= now.toISOString()) return next
  // The clock was set back: what came between shows too early.
  const between = await findNextScheduledMoment(db, now.toISOString())
  return between !== undefined && between <= last.startedAt ? now.toISOString() : next
}
