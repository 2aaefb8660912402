import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { Failure } from '../../lib/messages.ts'
import { scheduleFailures } from '../../messages/server/publishing.ts'
import {
  type ContentChange,
  type LoggedChange,
  type LogPosition,
  listLoggedAfter,
} from '../changes/change-store.ts'
import { findLastSettledPublish, listUnsettledPublishes, type Publish } from '../publish-store.ts'
import { findCurrentRelease } from '../release/release.ts'
import { type Bundle, findBundle } from '../render/bundle.ts'
import { historyOf, type SitePlace } from '../shared/shared-site.ts'
import { findAhead } from './find-ahead.ts'
import { type LiveContent, openLiveContent } from './live-content.ts'
import { noteUsesOfCopy } from './note-picture-uses.ts'
import { takeDueEntries } from './take-due-entries.ts'
import { takeSelected } from './take-selected.ts'

/** So many saved subjects are compared with the live content; the others count as unpublished. */
const MOST_COMPARED = 5_000

/** Content of a scheduled publish, or of one of selected changes. */
export interface ScheduledContent {
  db: Kysely<Schema>
  databaseUrl: string
  /** The templates of the live site, whatever they say by now. */
  bundle: Bundle
  /** Why entries that are due do not come alone. */
  problems: string[]
  /** Changes of the log after the live release that are in it. */
  ahead: readonly LoggedChange[]
  close(): Promise<void>
}

interface ScheduleOptions extends SitePlace {
  projectDir: string
  now: Date
  /** Selected changes of a person. */
  selected?: readonly ContentChange[] | undefined
  /** Position in the log up to which all changes are live. */
  position: LogPosition | undefined
}

/**
 * Opens the content of the live site with the entries whose schedule is due, and the selected changes with what they
 * need, as they are saved now. What else was saved since the last publish, templates included, is not in it. Throws when it is not known what is live.
 */
export async function openScheduledContent(
  db: Db,
  { projectDir, now, selected, position, ...place }: ScheduleOptions,
): Promise<ScheduledContent> {
  const { dataDir } = place
  const release = findCurrentRelease(dataDir)
  const last = await findLastSettledPublish(db, historyOf(place))
  const live = release && (await openLiveContent(dataDir, release))
  if (!live || !last) throw new Failure(scheduleFailures, 'noRecord')
  try {
    // A database that was restored may be older than the site.
    if (last.releaseId !== release.id && !(await wasCutShort(db, last, live)))
      throw new Failure(scheduleFailures, 'otherDatabase')
    const bundle = await findBundle(projectDir, live.bundle)
    if (!bundle) throw new Failure(scheduleFailures, 'noTemplates')
    const moments = { since: last.startedAt, now }
    // Before anything is read: what is saved meanwhile is unpublished.
    const logged = position ? await listLoggedAfter(db, position, { limit: MOST_COMPARED }) : []
    const problems = await live.db.transaction().execute(async (trx) => {
      const delayed = await takeDueEntries(trx, db, moments)
      return selected ? [...delayed, ...(await takeSelected(trx, db, selected, { now }))] : delayed
    })
    await live.db.transaction().execute(noteUsesOfCopy)
    const ahead = await findAhead(live.db, db, { logged, now })
    return { db: live.db, databaseUrl: live.databaseUrl, bundle, problems, ahead, close: live.close }
  } catch (error) {
    await live.close()
    throw error
  }
}

// Killed after its release went live, before the history knew.
async function wasCutShort(db: Db, last: Publish, { shownAt }: LiveContent): Promise<boolean> {
  const [cutShort] = await listUnsettledPublishes(db, {
    machine: last.machine,
    after: last.id,
    until: shownAt,
  })
  return cutShort !== undefined
}
