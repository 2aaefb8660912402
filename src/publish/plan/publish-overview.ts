import type { Db } from '../../db/schema.ts'
import { listScheduledMoments, type ScheduledMoment } from '../../entries/entry-schedule-store.ts'
import { listScheduledDrafts } from '../../entries/history/scheduled-draft.ts'
import { listContentTypes } from '../../entries/types/content-type-store.ts'
import { findLastSettledPublish, listPublishes, type Publish } from '../publish-store.ts'
import { findCurrentRelease } from '../release/release.ts'
import { listKeptReleases } from '../release/roll-back.ts'
import { historyOf, type SitePlace } from '../shared/shared-site.ts'

const UPCOMING = 5

/** An entry that a schedule shows, changes, or hides. */
export type Upcoming = Omit<ScheduledMoment, 'event'> & { event: ScheduledMoment['event'] | 'changes' }

/** History and schedule on the Publish screen. */
export interface PublishOverview {
  /** Undefined before the first publish. */
  currentReleaseId: string | undefined
  last: Publish | undefined
  /** True if visitors see an earlier release because someone rolled back. */
  isHeldBack: boolean
  history: Publish[]
  /** True if there are earlier publishes. */
  hasOlder: boolean
  /** Releases that can be restored. */
  keptReleaseIds: ReadonlySet<string>
  /** The entries that schedules show, change, or hide next. */
  upcoming: Upcoming[]
}

export async function loadPublishOverview(
  db: Db,
  { now, page, before, ...place }: SitePlace & { now: Date; page: number; before?: number | undefined },
): Promise<PublishOverview> {
  const last = await findLastSettledPublish(db, historyOf(place))
  const history = await listPublishes(db, { limit: page + 1, before })
  return {
    currentReleaseId: findCurrentRelease(place.dataDir)?.id,
    last,
    isHeldBack: last?.status === 'rolled_back',
    history: history.slice(0, page),
    hasOlder: history.length > page,
    keptReleaseIds: new Set((await listKeptReleases(db, place)).map(({ id }) => id)),
    upcoming: await listUpcoming(db, now.toISOString()),
  }
}

async function listUpcoming(db: Db, after: string): Promise<Upcoming[]> {
  const types = await listContentTypes(db)
  const drafts = (await listScheduledDrafts(db)).map(({ entry: { id, typeId, title, slug }, at }) => {
    const typeSlug = types.find((type) => type.id === typeId)?.slug ?? ''
    return { at, event: 'changes' as const, entry: { id, typeSlug, title, slug } }
  })
  const moments = await listScheduledMoments(db, { after, limit: UPCOMING })
  return [...moments, ...drafts.filter(({ at }) => at > after)]
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, UPCOMING)
}
