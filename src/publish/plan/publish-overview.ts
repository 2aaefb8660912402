import type { Db } from '../../db/schema.ts'
import { listScheduledMoments, type ScheduledMoment } from '../../entries/entry-schedule-store.ts'
import { type DatedDraft, type ListedDrafts, listDrafts } from '../pending/waiting-draft-store.ts'
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
  drafts: ListedDrafts
}

export async function loadPublishOverview(
  db: Db,
  { now, page, before, ...place }: SitePlace & { now: Date; page: number; before?: number | undefined },
): Promise<PublishOverview> {
  const last = await findLastSettledPublish(db, historyOf(place))
  const drafts = await listDrafts(db, { now })
  const history = await listPublishes(db, { limit: page + 1, before, skipsIdleStarts: true })
  return {
    currentReleaseId: findCurrentRelease(place.dataDir)?.id,
    last,
    isHeldBack: last?.status === 'rolled_back',
    history: history.slice(0, page),
    hasOlder: history.length > page,
    keptReleaseIds: new Set((await listKeptReleases(db, place)).map(({ id }) => id)),
    upcoming: await listUpcoming(db, drafts.dated, now.toISOString()),
    drafts,
  }
}

async function listUpcoming(db: Db, dated: readonly DatedDraft[], after: string): Promise<Upcoming[]> {
  const drafts = dated.map(({ at, subjectId, typeSlug, name }) => ({
    ...{ at, entry: { id: Number(subjectId), typeSlug, name } },
    event: 'changes' as const,
  }))
  const moments = await listScheduledMoments(db, { after, limit: UPCOMING })
  return [...moments, ...drafts].sort((a, b) => (a.at < b.at ? -1 : 1)).slice(0, UPCOMING)
}
