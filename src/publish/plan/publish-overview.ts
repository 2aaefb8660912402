import type { Db } from '../../db/schema.ts'
import { listScheduledMoments, type ScheduledMoment } from '../../entries/entry-schedule-store.ts'
import { machineOf } from '../publish-lock.ts'
import { findLastSettledPublish, listPublishes, type Publish } from '../publish-store.ts'
import { findCurrentRelease, listReleases } from '../release/release.ts'

const UPCOMING = 5

/** The past and the future on the Publish screen. */
export interface PublishOverview {
  /** Undefined before the first publish. */
  currentReleaseId: string | undefined
  last: Publish | undefined
  /** Visitors see an earlier release, because someone rolled back. */
  isHeldBack: boolean
  history: Publish[]
  /** True if there are publishes before those. */
  hasOlder: boolean
  /** Releases that can be shown again. */
  keptReleaseIds: ReadonlySet<string>
  /** The entries that schedules show or hide next. */
  upcoming: ScheduledMoment[]
}

export async function loadPublishOverview(
  db: Db,
  { dataDir, now, page, before }: { dataDir: string; now: Date; page: number; before?: number | undefined },
): Promise<PublishOverview> {
  const last = await findLastSettledPublish(db, machineOf(dataDir))
  const history = await listPublishes(db, { limit: page + 1, before })
  return {
    currentReleaseId: findCurrentRelease(dataDir)?.id,
    last,
    isHeldBack: last?.status === 'rolled_back',
    history: history.slice(0, page),
    hasOlder: history.length > page,
    keptReleaseIds: new Set((await listReleases(dataDir)).map(({ id }) => id)),
    upcoming: await listScheduledMoments(db, { after: now.toISOString(), limit: UPCOMING }),
  }
}
