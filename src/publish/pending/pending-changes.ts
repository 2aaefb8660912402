import type { Db } from '../../db/schema.ts'
import { type LoggedChange, listLoggedAfter } from '../changes/change-store.ts'
import { listRestored } from '../states/log-condition-store.ts'
import {
  type DescribedChange,
  describeChange,
  isEntryLive,
  loadNamed,
  type PendingSubject,
} from './describe-change.ts'
import { findEditors } from './find-editors.ts'
import { type LiveRecord, withLiveRecord } from './live-record.ts'

/** Maximum number of subjects listed; with more, everything is published together. */
const MOST_LISTED = 500

/** A subject saved since the live release. */
export interface PendingChange extends DescribedChange {
  subject: PendingSubject
  subjectId: string
  /** UTC text. */
  savedAt: string
  /** Undefined for changes from files or commands. */
  savedBy: string | undefined
}

/** Lists the unpublished changes. */
export interface Pending {
  /** Newest first. */
  changes: PendingChange[]
  /** True if there are more than listed. */
  hasMore: boolean
}

/**
 * Lists what was saved since the live release and visitors would see. Pages generated as a consequence, such as a
 * service in a new place, are part of the change that caused them. Undefined if the live release is unknown.
 */
export function loadPending(
  db: Db,
  { dataDir, now }: { dataDir: string; now: Date },
): Promise<Pending | undefined> {
  return withLiveRecord(dataDir, async (live) => {
    if (!live) return undefined
    const logged = await listLoggedAfter(db, live.position, { limit: MOST_LISTED + 1 })
    const shown = logged.slice(0, MOST_LISTED).filter((change) => !live.hasPublished(change))
    const restored = (await listRestored(db, live)).filter((id) => isEntryLive(live, id))
    const isRestored = ({ subject, subjectId }: LoggedChange) =>
      subject === 'entry' && restored.includes(Number(subjectId))
    const saved = joinTerms(shown).filter((change) => !isRestored(change))
    const changes = await describeAll(db, live, saved, now)
    return { changes, hasMore: logged.length > MOST_LISTED }
  })
}

/** Number of unpublished changes. */
export interface SavedChanges {
  count: number
  /** True if there are more than are listed. */
  hasMore: boolean
}

/** Counts what `loadPending` lists; undefined if the live release is unknown. */
export async function countPending(
  db: Db,
  options: { dataDir: string; now: Date },
): Promise<SavedChanges | undefined> {
  const pending = await loadPending(db, options)
  return pending && { count: pending.changes.length, hasMore: pending.hasMore }
}

// An entry's terms are part of it.
function joinTerms(logged: readonly LoggedChange[]): (LoggedChange & { subject: PendingSubject })[] {
  const bySubject = new Map<string, LoggedChange & { subject: PendingSubject }>()
  for (const change of logged) {
    if (change.subject === 'form_file') continue
    const subject = change.subject === 'entry_terms' ? 'entry' : change.subject
    const key = `${subject}:${change.subjectId}`
    if (!bySubject.has(key)) bySubject.set(key, { ...change, subject })
  }
  return [...bySubject.values()]
}

async function describeAll(
  db: Db,
  live: LiveRecord,
  logged: readonly (LoggedChange & { subject: PendingSubject })[],
  now: Date,
): Promise<PendingChange[]> {
  const named = await loadNamed(db, logged)
  const editorOf = await findEditors(db, logged)
  return logged.flatMap((change) => {
    const described = describeChange(change, named, { live, now })
    if (!described) return []
    const editor = editorOf(change)
    // Older than the live version: something else has changed it since.
    const savedBy = editor && editor.at >= live.position.savedAt ? editor.email : undefined
    return [
      {
        subject: change.subject,
        subjectId: change.subjectId,
        savedAt: change.savedAt,
        savedBy,
        ...described,
      },
    ]
  })
}
