import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import { keepDraft } from '../../versions/keep-version.ts'
import type { Saving, Version } from '../../versions/version.ts'
import { findDraft, findHead, retireDraft } from '../../versions/version-store.ts'
import { unlessTaken } from '../addresses/check-address.ts'
import { renderBody } from '../editing/check-entry.ts'
import type { EntryInput } from '../editing/entry-input.ts'
import { checkSave, type SavingEntry } from '../editing/save-entry.ts'
import { findEntryById } from '../entry-lookup-store.ts'
import type { Entry } from '../entry-store.ts'
import type { ContentType } from '../types/content-type-store.ts'
import { type EntrySnapshot, toSnapshot } from './entry-snapshot.ts'
import { loadMergedDraft } from './merge-draft.ts'
import { entrySubject, findWithTerms, formerOf } from './record-entry.ts'

/** An entry's draft, saved separately from what visitors see. */
export interface EntryDraft {
  version: Version
  /** The saved content with what the draft changes. */
  snapshot: EntrySnapshot
}

/** Returns an entry's draft; undefined if there is none. */
export async function findEntryDraft(db: Db, id: number): Promise<EntryDraft | undefined> {
  const found = await findDraft(db, entrySubject(id))
  const entry = found && (await findEntryById(db, id))
  return entry && { version: found.version, snapshot: await loadMergedDraft(db, { entry }, found) }
}

/**
 * Saves a draft of an entry. Visitors and publishes keep using the live entry until the draft is used. A draft must
 * pass the same checks as published content. Returns the entry's ID.
 */
export async function saveDraft(
  db: Kysely<Schema>,
  { type, id, input }: { type: ContentType; id: number; input: EntryInput },
  { now, by }: SavingEntry,
): Promise<Outcome<number, AdminProblem>> {
  const text = await renderBody(input)
  return unlessTaken(db, async (trx) => {
    const outcome = await checkSave(trx, { type, id, input, text })
    if (outcome.kind !== 'saved') return outcome
    const { existing, checked, head } = outcome.value
    const { slug, values, termIds } = checked
    const after = toSnapshot({ ...values, slug }, termIds)
    const sides = { before: formerOf(existing), after, head }
    await keepDraft(trx, entrySubject(id), sides, { now: now.toISOString(), by })
    return { kind: 'saved', value: id }
  })
}

/**
 * Takes the schedule off an entry's draft, which then has the entry's own date; returns false if the draft isn't
 * `versionId`.
 */
export function unscheduleDraft(
  db: Kysely<Schema>,
  { id, versionId }: { id: number; versionId: number },
  { now, by }: SavingEntry,
): Promise<boolean> {
  return changeContent(db, async (trx) => {
    const draft = await findEntryDraft(trx, id)
    if (draft?.version.id !== versionId) return false
    await keepUnscheduled(trx, id, draft, { now: now.toISOString(), by })
    return true
  })
}

/** Keeps an entry's draft with the entry's own date. Call it inside a transaction. */
export async function keepUnscheduled(
  db: Db,
  id: number,
  { snapshot }: EntryDraft,
  saving: Saving,
): Promise<void> {
  const [stored] = await findWithTerms(db, [id])
  if (!stored) return
  const after = { ...snapshot, publishAt: stored.entry.publishAt }
  await keepDraft(db, entrySubject(id), { before: formerOf(stored), after }, saving)
}

/** Discards an entry's draft, which stays among its versions; returns false if the draft isn't `versionId`. */
export function discardDraft(
  db: Kysely<Schema>,
  { id, versionId }: { id: number; versionId: number },
): Promise<boolean> {
  return changeContent(db, async (trx) => {
    const { draftId } = await findHead(trx, entrySubject(id))
    return draftId === versionId && retireDraft(trx, entrySubject(id))
  })
}

/** Returns an entry with its draft's content. */
export function asDrafted(entry: Entry, { termIds: _, ...values }: EntrySnapshot): Entry {
  return { ...entry, ...values }
}
