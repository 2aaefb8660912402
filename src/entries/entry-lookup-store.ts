import type { Db } from '../db/schema.ts'
import { type Entry, toEntry } from './entry-store.ts'

export async function findEntryById(db: Db, id: number): Promise<Entry | undefined> {
  const row = await db.selectFrom('content_entries').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toEntry(row)
}

/** The entries with these ids, by id. */
export async function listEntriesById(db: Db, ids: readonly number[]): Promise<Map<number, Entry>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('content_entries').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toEntry(row)]))
}

/** The published ones among the entries with these types and slugs. */
export async function findPublishedEntries(
  db: Db,
  wanted: readonly { typeId: number; slug: string }[],
): Promise<Entry[]> {
  if (wanted.length === 0) return []
  const rows = await db
    .selectFrom('content_entries')
    .selectAll()
    .where('status', '=', 'published')
    .where(({ eb, or, and }) =>
      or(wanted.map(({ typeId, slug }) => and([eb('type_id', '=', typeId), eb('slug', '=', slug)]))),
    )
    .execute()
  return rows.map(toEntry)
}

/** The ids of the terms of one entry, ascending. */
export async function listTermIdsOfEntry(db: Db, entryId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('entry_taxonomy_terms')
    .select('term_id')
    .where('entry_id', '=', entryId)
    .orderBy('term_id')
    .execute()
  return rows.map(({ term_id }) => term_id)
}

/** Gives an entry another slug. */
export async function renameEntry(db: Db, id: number, slug: string): Promise<void> {
  await db.updateTable('content_entries').set({ slug }).where('id', '=', id).execute()
}
