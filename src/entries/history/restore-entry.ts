import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { findHead, findVersion, type StoredVersion } from '../../versions/version-store.ts'
import { unlessTaken } from '../addresses/check-address.ts'
import { renderBody } from '../editing/check-entry.ts'
import type { EntryInput } from '../editing/entry-input.ts'
import { checkSave, type SavingEntry, stampOf, writeEntry } from '../editing/save-entry.ts'
import { findEntryById, listTermIdsOfEntry } from '../entry-lookup-store.ts'
import type { Entry } from '../entry-store.ts'
import { withTodaysNames } from '../offers/todays-names.ts'
import type { ContentType } from '../types/content-type-store.ts'
import { pickValues } from './compare-snapshots.ts'
import { type EntrySnapshot, toSnapshot } from './entry-snapshot.ts'
import { loadMergedDraft } from './merge-draft.ts'
import { entrySubject } from './record-entry.ts'

interface Restoring {
  type: ContentType
  id: number
  versionId: number
  /** Names of the values to restore; the others stay. Undefined for the whole version. */
  names?: ReadonlySet<string> | undefined
}

/**
 * Restores a version of an entry, drafts included, as a new version. Refused if it would be invalid now: its address
 * is taken, or something it refers to was deleted. A draft's schedule ends: the entry keeps its own date. Returns the
 * entry's ID.
 */
export async function restoreEntry(
  db: Kysely<Schema>,
  wanted: Restoring,
  saving: SavingEntry,
): Promise<Outcome<number, AdminProblem>> {
  const outcome = await restoreOnto(db, wanted, saving)
  // A draft also keeps what was saved while it was merged.
  return outcome.kind === 'outdated' && !wanted.names ? restoreOnto(db, wanted, saving) : outcome
}

async function restoreOnto(
  db: Kysely<Schema>,
  { type, id, versionId, names }: Restoring,
  { now, by }: SavingEntry,
): Promise<Outcome<number, AdminProblem>> {
  const found = await findVersion(db, entrySubject(id), versionId)
  const entry = await findEntryById(db, id)
  if (!found || !entry) return { kind: 'not_found' }
  const basedOn = stampOf(entry, await findHead(db, entrySubject(id)))
  const version = await loadRestored(db, { entry }, found)
  if (!names) return writeSnapshot(db, { type, id, snapshot: version, basedOn }, { now, by })
  const current = toSnapshot(entry, await listTermIdsOfEntry(db, id))
  const snapshot = pickValues(current, version, names)
  return writeSnapshot(db, { type, id, snapshot, basedOn }, { now, by })
}

/** Returns why an entry's draft would be refused now; empty if it is valid. */
export async function findDraftProblems(
  db: Db,
  { type, entry, draft }: { type: ContentType; entry: Entry; draft: StoredVersion },
): Promise<readonly AdminProblem[]> {
  const input = await inputOf(db, type, await loadRestored(db, { entry }, draft))
  const outcome = await checkSave(db, { type, id: entry.id, input, text: await renderBody(input) })
  return outcome.kind === 'invalid' ? outcome.problems : []
}

/**
 * Loads the content that an entry has after a version of it is restored. A draft keeps what was saved since, except the
 * status: someone chose to use it.
 */
export async function loadRestored(
  db: Db,
  { entry, saved }: { entry: Entry; saved?: EntrySnapshot | undefined },
  stored: StoredVersion,
): Promise<EntrySnapshot> {
  const { state, savedAt } = stored.version
  const content = stored.content as EntrySnapshot
  const merged = state === 'draft' ? await loadMergedDraft(db, { entry, saved }, stored) : content
  const snapshot = { ...merged, status: content.status }
  const isScheduled = state !== 'saved' && (snapshot.publishAt ?? '') > savedAt
  return isScheduled ? { ...snapshot, publishAt: entry.publishAt } : snapshot
}

/**
 * Saves changed content of an entry's draft in its place, as a new version. Not found if it is no longer the draft;
 * outdated if something else was saved since `basedOn`; refused if it would be invalid now.
 */
export function putDraft(
  db: Kysely<Schema>,
  draft: { type: ContentType; id: number; draftId: number; snapshot: EntrySnapshot; basedOn: string },
  saving: SavingEntry,
): Promise<Outcome<number, AdminProblem>> {
  return writeSnapshot(db, draft, saving)
}

/** Saves content of an entry as a new version; with `draftId`, only in place of that draft. */
export async function writeSnapshot(
  db: Kysely<Schema>,
  {
    type,
    id,
    draftId,
    snapshot,
    basedOn,
  }: { type: ContentType; id: number; draftId?: number; snapshot: EntrySnapshot; basedOn?: string },
  { now, by }: SavingEntry,
): Promise<Outcome<number, AdminProblem>> {
  const input = { ...(await inputOf(db, type, snapshot)), basedOn }
  // Before the transaction, which blocks other writers.
  const text = await renderBody(input)
  return unlessTaken(db, async (trx) => {
    const outcome = await checkSave(trx, { type, id, input, text })
    if (outcome.kind !== 'saved') return outcome
    const { existing, head, checked } = outcome.value
    if (draftId !== undefined && head.draftId !== draftId) return { kind: 'not_found' }
    const { termIds: _terms, slug: _slug, ...stored } = snapshot
    const values = { ...stored, data: { ...stored.data, ...input.fields } }
    const clock = { now: now.toISOString(), by }
    const written = await writeEntry(trx, type, { existing, head, checked: { ...checked, values } }, clock)
    return { kind: 'saved', value: written }
  })
}

/**
 * Converts a version to editor input with today's slugs of what it names, leaving out values of fields that its type no
 * longer has.
 */
export async function inputOf(
  db: Db,
  type: ContentType,
  { data: stored, isGenerated: _, ...snapshot }: EntrySnapshot,
): Promise<EntryInput> {
  const data = await withTodaysNames(db, { type: type.slug, data: stored })
  const fields = type.fields.flatMap(({ key }) => (Object.hasOwn(data, key) ? [[key, data[key]]] : []))
  return { ...snapshot, fields: Object.fromEntries(fields), namedTerms: {} }
}
