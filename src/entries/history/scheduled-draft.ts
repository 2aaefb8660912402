import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import type { Saving, Version } from '../../versions/version.ts'
import { listDraftsWith, type StoredVersion } from '../../versions/version-store.ts'
import { stampOf } from '../editing/save-entry.ts'
import { listEntriesById } from '../entry-lookup-store.ts'
import type { Entry } from '../entry-store.ts'
import { listContentTypes } from '../types/content-type-store.ts'
import { keepUnscheduled } from './entry-draft.ts'
import type { EntrySnapshot } from './entry-snapshot.ts'
import { loadMergedDraft, mergeDraft } from './merge-draft.ts'
import { putDraft } from './restore-entry.ts'

/** A draft that replaces the saved version of its entry at a time. */
export interface ScheduledDraft {
  entry: Entry
  /** UTC text. */
  at: string
  stored: StoredVersion
}

type Dated = Pick<Entry, 'status' | 'publishAt'>

/** Returns true if input saved now as a draft of an entry goes live by itself later. */
export function schedulesChange(input: Dated, entry: Pick<Entry, 'publishAt'>, now: Date): boolean {
  const { status, publishAt } = input
  const isOwn = publishAt !== null && publishAt > now.toISOString() && publishAt !== entry.publishAt
  return isOwn && status === 'published'
}

/**
 * Returns when a draft of an entry goes live by itself; undefined if a person must add it to a publish. A date counts
 * only if it differs from that of the entry and was in the future when the draft was saved.
 */
export function scheduleOf(
  entry: Pick<Entry, 'publishAt'>,
  { version, snapshot }: { version: Pick<Version, 'savedAt'>; snapshot: Dated },
): string | undefined {
  const isScheduled = schedulesChange(snapshot, entry, new Date(version.savedAt))
  return isScheduled ? (snapshot.publishAt ?? undefined) : undefined
}

/**
 * Returns the same for a stored draft. `base` is the version saved before it; of the entry, only these values are known.
 */
export function scheduleOfStored(
  { status, publishAt }: Pick<Entry, 'status' | 'publishAt'>,
  { version, content }: { version: Pick<Version, 'savedAt'>; content: unknown },
  base: unknown,
): string | undefined {
  const [draft, former] = [content as EntrySnapshot, base as EntrySnapshot | undefined]
  const saved = { ...(former ?? draft), status, publishAt }
  return scheduleOf({ publishAt }, { version, snapshot: mergeDraft({ saved, base: former, draft }) })
}

/** Lists the scheduled drafts of all entries, in order. Overdue ones could not be used. */
export async function listScheduledDrafts(db: Db): Promise<ScheduledDraft[]> {
  const drafts = await listDraftsWith(db, 'entry', '"publishAt":"')
  const entries = await listEntriesById(
    db,
    drafts.map(({ subjectId }) => subjectId),
  )
  const scheduled = drafts.flatMap(({ subjectId, base, ...stored }) => {
    const entry = entries.get(subjectId)
    const at = entry && scheduleOfStored(entry, stored, base)
    return entry && at !== undefined ? [{ entry, at, stored }] : []
  })
  return scheduled.sort((a, b) => (a.at < b.at ? -1 : 1))
}

/**
 * Takes the schedule off the overdue drafts of entries that return from the trash: they come back as they were. Call it
 * inside a transaction.
 */
export async function endOverdueSchedules(
  db: Db,
  ids: ReadonlySet<number>,
  { now }: Pick<Saving, 'now'>,
): Promise<void> {
  for (const { entry, at, stored } of ids.size === 0 ? [] : await listScheduledDrafts(db)) {
    if (!ids.has(entry.id) || at > now) continue
    const { version } = stored
    const draft = { version, snapshot: await loadMergedDraft(db, { entry }, stored) }
    await keepUnscheduled(db, entry.id, draft, { now, by: authorOf(version) })
  }
}

function authorOf({ savedBy }: Version) {
  return { source: 'admin' as const, email: savedBy ?? undefined }
}

/** Result of using the drafts that are due. */
export interface UsedDrafts {
  /** IDs of entries. */
  used: number[]
  refused: { entry: Entry; versionId: number; problems: readonly AdminProblem[] }[]
  /** When the next one is due; UTC text. */
  next: string | undefined
}

/**
 * Makes due drafts the saved versions of their entries, which the schedule then publishes. Their date becomes `now`, so
 * that no publish since the date hides that they are due. A draft that is invalid by now stays a draft.
 */
export async function useDueDrafts(db: Kysely<Schema>, { now }: { now: Date }): Promise<UsedDrafts> {
  const moment = now.toISOString()
  const scheduled = await listScheduledDrafts(db)
  const due = scheduled.filter(({ at }) => at <= moment)
  const types = due.length === 0 ? [] : await listContentTypes(db)
  const outcome: UsedDrafts = { used: [], refused: [], next: scheduled.find(({ at }) => at > moment)?.at }
  for (const { entry, stored } of due) {
    const type = types.find(({ id }) => id === entry.typeId)
    if (!type) continue
    const { version } = stored
    const by = authorOf(version)
    const snapshot = { ...(await loadMergedDraft(db, { entry }, stored)), publishAt: moment }
    const basedOn = stampOf(entry, { draftId: version.id })
    const wanted = { type, id: entry.id, draftId: version.id, snapshot, basedOn }
    const put = await putDraft(db, wanted, { now, by })
    if (put.kind === 'saved') outcome.used.push(entry.id)
    if (put.kind === 'invalid') outcome.refused.push({ entry, versionId: version.id, problems: put.problems })
  }
  return outcome
}
