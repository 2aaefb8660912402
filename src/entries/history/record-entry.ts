import type { Db } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import { type Former, keepVersion } from '../../versions/keep-version.ts'
import type { Saving, Subject } from '../../versions/version.ts'
import type { VersionHead } from '../../versions/version-store.ts'
import { findEntryById, listEntriesById, listTermIdsOfEntry } from '../entry-lookup-store.ts'
import type { Entry } from '../entry-store.ts'
import { type EntrySnapshot, toSnapshot } from './entry-snapshot.ts'

/** An entry with its terms. */
export interface EntryWithTerms {
  entry: Entry
  termIds: readonly number[]
}

/** The entry with this ID as the subject of versions. */
export function entrySubject(id: number): Subject & { kind: 'entry' } {
  return { kind: 'entry', id }
}

/** Records a just saved entry as a version, in the transaction of the save. */
export function recordEntry(
  db: Db,
  id: number,
  { before, after, head }: { before: EntryWithTerms | undefined; after: EntrySnapshot; head?: VersionHead },
  saving: Saving,
): Promise<void> {
  const former = formerOf(before)
  return keepVersion(db, entrySubject(id), { before: former, after, head }, saving)
}

/** Returns an entry's content before a save; undefined for a generated one (a service offered in a place). */
export function formerOf(before: EntryWithTerms | undefined): Former | undefined {
  if (!before || before.entry.isGenerated) return undefined
  const { entry, termIds } = before
  return { content: toSnapshot(entry, termIds), savedAt: entry.updatedAt }
}

/** Finds the entries that exist, with their terms. */
export async function findWithTerms(db: Db, ids: readonly number[]): Promise<EntryWithTerms[]> {
  const found: EntryWithTerms[] = []
  for (const chunk of chunksOf(ids))
    for (const entry of (await listEntriesById(db, chunk)).values())
      found.push({ entry, termIds: await listTermIdsOfEntry(db, entry.id) })
  return found
}

/** Records a changed entry as a version. Call it inside the transaction. */
export async function recordEdited(db: Db, before: EntryWithTerms, saving: Saving): Promise<void> {
  const { id } = before.entry
  const saved = await findEntryById(db, id)
  if (!saved) return
  const after = toSnapshot(saved, await listTermIdsOfEntry(db, id))
  await recordEntry(db, id, { before, after }, saving)
}

/** Changes an entry and records the result as a version. Call it inside a transaction. */
export async function recordAround(
  db: Db,
  entry: Entry,
  change: () => Promise<void>,
  saving: Saving,
): Promise<void> {
  const before = { entry, termIds: await listTermIdsOfEntry(db, entry.id) }
  await change()
  await recordEdited(db, before, saving)
}
