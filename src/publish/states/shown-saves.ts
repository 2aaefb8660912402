import type { Db } from '../../db/schema.ts'
import type { ChangeSubject } from '../../db/tables/publish-tables.ts'
import { type LiveSite, withLiveSite } from './live-site.ts'
import { findLatestSave, findSaveTime } from './state-store.ts'

/**
 * The saves of something that the live site shows: all, none, or those up to a time (UTC text). Unknown if the live
 * release is.
 */
export type ShownSaves = 'all' | 'none' | 'unknown' | { until: string }

interface Logged {
  subjects: readonly ChangeSubject[]
  id: number | string
}

/** Returns which saves of something the live site shows, going by the change log. */
export function findShownSaves(
  { db, dataDir }: { db: Db; dataDir: string },
  logged: Logged,
): Promise<ShownSaves> {
  return withLiveSite(dataDir, async (site) => {
    if (site === undefined) return 'none'
    return site === 'unknown' ? 'unknown' : findSavesSince(db, site, logged)
  })
}

/** Does the same for a live release that is known. */
export async function findSavesSince(
  db: Db,
  { position, ahead }: Pick<LiveSite, 'position' | 'ahead'>,
  { subjects, id }: Logged,
): Promise<'all' | { until: string }> {
  const own = ahead.filter(({ subject, subjectId }) => subjects.includes(subject) && subjectId === `${id}`)
  const published = Math.max(0, ...own.map(({ changeId }) => changeId))
  const latest = await findLatestSave(db, { position, ahead }, { subjects, id })
  if (latest === undefined || latest <= published) return 'all'
  const until = published > 0 ? await findSaveTime(db, published) : undefined
  return { until: until ?? position.savedAt }
}
