import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { RenderedText } from '../../lib/markdown/render-apart.ts'
import { findOutdated, type Outcome } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import type { Saver, Saving } from '../../versions/version.ts'
import { findHead, retireDraft, type VersionHead } from '../../versions/version-store.ts'
import { unlessTaken } from '../addresses/check-address.ts'
import { findEntryById, listTermIdsOfEntry } from '../entry-lookup-store.ts'
import { type Entry, insertEntries, replaceEntryTerms, updateEntry } from '../entry-store.ts'
import { toSnapshot } from '../history/entry-snapshot.ts'
import { type EntryWithTerms, entrySubject, recordEntry } from '../history/record-entry.ts'
import { rulesOf } from '../types/builtin/registry.ts'
import type { ContentType } from '../types/content-type-store.ts'
import { type CheckedEntry, checkEntry, renderBody } from './check-entry.ts'
import { withDefaultName } from './default-name.ts'
import type { EntryInput } from './entry-input.ts'

/** Time of a save, and its user. */
export interface SavingEntry {
  now: Date
  by?: Saver | undefined
}

/**
 * Creates an entry of a type, or changes the one with this ID. If a service is renamed or offered elsewhere, its
 * location services follow (§2.9 rule 3), and so do references by slug. Returns its ID.
 */
export async function saveEntry(
  db: Kysely<Schema>,
  { type, id, input }: { type: ContentType; id?: number | undefined; input: EntryInput },
  { now, by }: SavingEntry,
): Promise<Outcome<number, AdminProblem>> {
  // Before the transaction, which blocks other writers.
  const text = await renderBody(input)
  return unlessTaken(db, async (trx) => {
    const outcome = await checkSave(trx, { type, id, input, text })
    if (outcome.kind !== 'saved') return outcome
    const clock = { now: now.toISOString(), by }
    return { kind: 'saved', value: await writeEntry(trx, type, outcome.value, clock) }
  })
}

/** A checked entry with its stored state, which a new entry doesn't have. */
export interface CheckedSave {
  existing: EntryWithTerms | undefined
  checked: CheckedEntry
  head: VersionHead
}

/** Checks a save of an entry or of its draft against the database. Call it in the save's transaction. */
export async function checkSave(
  db: Db,
  {
    type,
    id,
    input,
    text,
  }: { type: ContentType; id: number | undefined; input: EntryInput; text: RenderedText | undefined },
): Promise<Outcome<CheckedSave, AdminProblem>> {
  const stored = id === undefined ? undefined : await findStored(db, type, id)
  if (id !== undefined && !stored) return { kind: 'not_found' }
  const { existing, head = {} } = stored ?? {}
  const outdated = existing && findOutdated(stampOf(existing.entry, head), input.basedOn)
  if (outdated) return outdated
  const named = await withDefaultName(db, type, input, { isNew: !existing })
  const { checked, problems } = await checkEntry(db, type, { input: named, text }, existing)
  if (problems.length > 0) return { kind: 'invalid', problems }
  return { kind: 'saved', value: { existing, checked, head } }
}

async function findStored(db: Db, type: ContentType, id: number) {
  const entry = await findEntryById(db, id)
  if (entry?.typeId !== type.id) return undefined
  const head = await findHead(db, entrySubject(id))
  return { existing: { entry, termIds: await listTermIdsOfEntry(db, id) }, head }
}

/** Returns a text that changes with what an editor shows of an entry: its draft, or the last save. */
export function stampOf(
  { updatedAt }: Pick<Entry, 'updatedAt'>,
  { draftId }: Pick<VersionHead, 'draftId'>,
): string {
  return draftId === undefined ? updatedAt : `${updatedAt} ${draftId}`
}

/** Writes a checked entry with all consequences, and records a version. */
export async function writeEntry(
  db: Db,
  type: ContentType,
  { existing, checked, head }: CheckedSave,
  { now, by }: Saving,
): Promise<number> {
  const { slug, values, termIds } = checked
  const entry = existing?.entry
  const { afterSave, inherits } = rulesOf(type.slug)
  const isGenerated = termIds.length === 0 && ((await inherits?.isWhole(db, values)) ?? false)
  const stored = { ...values, isGenerated }
  const id = entry?.id ?? (await insertEntries(db, type.id, [{ slug, ...stored }], { now })).get(slug)
  if (id === undefined) throw new Error(`The entry ${slug} was not stored`)
  // In one statement, so that the former slug and title are kept as a pair.
  if (entry) await updateEntry(db, id, stored, { now, slug })
  await replaceEntryTerms(db, type.id, new Map([[id, termIds]]))
  await recordEntry(
    db,
    id,
    { before: existing, after: toSnapshot({ ...stored, slug }, termIds), head },
    { now, by },
  )
  if (head.draftId !== undefined) await retireDraft(db, entrySubject(id))
  await afterSave?.(db, { id, before: entry }, { now })
  return id
}
