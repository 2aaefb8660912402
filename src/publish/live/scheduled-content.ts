import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { Failure } from '../../lib/messages.ts'
import { scheduleFailures } from '../../messages/server/publishing.ts'
import {
  findLogEnd,
  type LoggedChange,
  type LogPosition,
  listLoggedAfter,
  type SelectedChange,
} from '../changes/change-store.ts'
import { findLastSettledPublish, listUnsettledPublishes, type Publish } from '../publish-store.ts'
import { findCurrentRelease } from '../release/release.ts'
import { type Bundle, findBundle } from '../render/bundle.ts'
import { historyOf, type SitePlace } from '../shared/shared-site.ts'
import { findAhead } from './find-ahead.ts'
import { noteUsesSince } from './note-picture-uses.ts'
import { type LiveContent, openLiveContent } from './open-live-content.ts'
import { takeDueEntries } from './take-due-entries.ts'
import { takeSelected } from './take-selected.ts'

/** Maximum number of saved subjects compared with the live content; the rest count as unpublished. */
const MOST_COMPARED = 5_000

/** Content for a scheduled publish, or for a publish of selected changes. */
export interface ScheduledContent {
  db: Kysely<Schema>
  databaseUrl: string
  /** The live site's templates, even if the current ones differ. */
  bundle: Bundle
  /** Position in the log of `db`: what follows was added to the live content. */
  since: LogPosition
  /** Why due entries can't be published alone. */
  problems: string[]
  /** Changes of the log after the live release that are included. */
  ahead: readonly LoggedChange[]
  close(): Promise<void>
}

interface ScheduleOptions extends SitePlace {
  projectDir: string
  now: Date
  /** Changes selected by a person. */
  selected?: readonly SelectedChange[] | undefined
  /** Position in the log up to which all changes are live. */
  position: LogPosition | undefined
}

/**
 * Opens the live site's content and adds the current versions of due entries, and of selected changes with what they
 * require. Leaves out everything else saved since the last publish, including templates. Throws if the live content
 * is unknown.
 */
export async function openScheduledContent(
  db: Db,
  { projectDir, now, selected, position, ...place }: ScheduleOptions,
): Promise<ScheduledContent> {
  const { dataDir } = place
  const release = findCurrentRelease(dataDir)
  const last = await findLastSettledPublish(db, historyOf(place))
  if (!release || !last) throw new Failure(scheduleFailures, 'noRecord')
  const live = await openLiveContent(dataDir, release)
  if (!live) throw new Failure(scheduleFailures, 'noRecord')
  try {
    // A restored database may be older than the site.
    if (last.releaseId !== release.id && !(await wasCutShort(db, last, live)))
      throw new Failure(scheduleFailures, 'otherDatabase')
    const bundle = await findBundle(projectDir, live.bundle)
    if (!bundle) throw new Failure(scheduleFailures, 'noTemplates')
    const since = await findLogEnd(live.db)
    const moments = { since: last.startedAt, now }
    // Read first, so that anything saved meanwhile counts as unpublished.
    const logged = position ? await listLoggedAfter(db, position, { limit: MOST_COMPARED }) : []
    const problems = await live.db.transaction().execute(async (trx) => {
      const delayed = await takeDueEntries(trx, db, moments)
      return selected ? [...delayed, ...(await takeSelected(trx, db, selected, { now }))] : delayed
    })
    await live.db.transaction().execute((trx) => noteUsesSince(trx, since))
    const ahead = await findAhead(live.db, db, { logged, now })
    const { databaseUrl, close } = live
    return { db: live.db, databaseUrl, bundle, since, problems, ahead, close }
  } catch (error) {
    await live.close()
    throw error
  }
}

// The process was killed after its release went live, but before the history was written.
async function wasCutShort(db: Db, last: Publish, { shownAt }: LiveContent): Promise<boolean> {
  const [cutShort] = await listUnsettledPublishes(db, {
    machine: last.machine,
    after: last.id,
    until: shownAt,
  })
  return cutShort !== undefined
}
