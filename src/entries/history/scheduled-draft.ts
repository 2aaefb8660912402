import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import type { Saving } from '../../versions/version.ts'
import { listDraftsWith } from '../../versions/version-store.ts'
import { stampOf } from '../editing/save-entry.ts'
import { listEntriesById } from '../entry-lookup-store.ts'
import type { Entry } from '../entry-store.ts'
import { listContentTypes } from '../types/content-type-store.ts'
import { type EntryDraft, keepUnscheduled } from './entry-draft.ts'
import type { EntrySnapshot } from './entry-snapshot.ts'
import { loadMergedDraft } from './merge-draft.ts'
import { putDraft } from './restore-entry.ts'

/** A draft that replaces the saved version of its entry at a time. */
export interface ScheduledDraft {
  entry: Entry
  /** UTC text. */
  at: string
  draft: EntryDraft
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
  { version, snapshot }: EntryDraft,
): string | undefined {
  const isScheduled = schedulesChange(snapshot, entry, new Date(version.savedAt))
  return isScheduled ? (snapshot.publishAt ?? undefined) : undefined
}

/** Lists the scheduled drafts of all entries, in order. Overdue ones could not be used. */
export async function listScheduledDrafts(db: Db): Promise<ScheduledDraft[]> {
  const drafts = await listDraftsWith(db, 'entry', '"publishAt":"')
  const entries = await listEntriesById(
    db,
    drafts.map(({ subjectId }) => subjectId),
  )
  const scheduled: ScheduledDraft[] = []
  for (const { subjectId, ...stored } of drafts) {
    const entry = entries.get(subjectId)
    const { publishAt } = stored.content as EntrySnapshot
    // Most drafts with a date have that of their entry.
    if (!entry || publishAt === entry.publishAt) continue
    const draft = { version: stored.version, snapshot: await loadMergedDraft(db, { entry }, stored) }
    const at = scheduleOf(entry, draft)
    if (at !== undefined) scheduled.push({ entry, at, draft })
  }
  return scheduled.sort((a, b) => (a.at < b.at ? -1 : 1))
}

/**
 * Takes the schedule off the overdue drafts of entries that return from the trash: they come back as they were. Call it
 * inside a transaction.
 */
export async function endOverdueSchedules(db: Db, ids: ReadonlySet<number>, saving: Saving): Promise<void> {
  for (const { entry, at, draft } of await listScheduledDrafts(db))
    if (ids.has(entry.id) && at <= saving.now) await keepUnscheduled(db, entry.id, draft, saving)
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
  for (const { entry, draft } of due) {
    const type = types.find(({ id }) => id === entry.typeId)
    if (!type) continue
    const { version } = draft
    const by = { source: 'admin' as const, email: version.savedBy ?? undefined }
    const snapshot = { ...draft.snapshot, publishAt: moment }
    const basedOn = stampOf(entry, { draftId: version.id })
    const wanted = { type, id: entry.id, draftId: version.id, snapshot, basedOn }
    const put = await putDraft(db, wanted, { now, by })
    if (put.kind === 'saved') outcome.used.push(entry.id)
    if (put.kind === 'invalid') outcome.refused.push({ entry, versionId: version.id, problems: put.problems })
  }
  return outcome
}
