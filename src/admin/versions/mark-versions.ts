import type { Db } from '#src/db/schema.ts'
import { writeContent } from '#src/versions/packed-content.ts'
import type { Version } from '#src/versions/version.ts'
import { findNewestSaved, type StoredVersion } from '#src/versions/version-store.ts'
import type { Versioned } from './versioned.ts'

/**
 * The state of a version: `live` (visitors see it), `pending` (saved, not published), `current` (saved, where the live
 * release is unknown), or a draft, which may be scheduled or a former one.
 */
export interface VersionMark {
  kind: 'live' | 'pending' | 'current' | 'draft' | 'scheduled' | 'former_draft'
  /** When a scheduled draft goes live; UTC text. */
  at?: string
}

/** Returns how to mark a subject's versions; most have no mark. `all` saves queries: every version, newest first. */
export async function loadMarks(
  db: Db,
  { subject, now, findShown, findSchedule }: Versioned,
  all?: readonly Version[],
): Promise<(stored: StoredVersion) => VersionMark | undefined> {
  const findNewest = (until?: string) =>
    all
      ? all.find(({ state, savedAt }) => state === 'saved' && savedAt <= (until ?? savedAt))
      : findNewestSaved(db, subject, { until })
  const newest = await findNewest()
  // Otherwise it changed along with something else.
  const isNow = newest?.contentSha256 === writeContent(now).contentSha256
  const current = isNow ? newest : undefined
  const shown = await findShown()
  const live = typeof shown === 'object' ? await findNewest(shown.until) : undefined
  const liveId = shown === 'all' ? current?.id : live?.id
  const draftAt = await findSchedule?.()
  const savedMark = ({ id }: Version): VersionMark | undefined => {
    if (id === liveId) return { kind: 'live' }
    if (id !== current?.id) return undefined
    return { kind: shown === 'unknown' ? 'current' : 'pending' }
  }
  return (stored) =>
    stored.version.state === 'saved' ? savedMark(stored.version) : draftMark(stored, draftAt)
}

function draftMark({ version }: StoredVersion, at: string | undefined): VersionMark {
  if (version.state === 'former_draft') return { kind: 'former_draft' }
  return at === undefined ? { kind: 'draft' } : { kind: 'scheduled', at }
}
