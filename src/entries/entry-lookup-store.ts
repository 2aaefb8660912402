import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { chunksOf } from '../lib/in-parts.ts'
import { type Entry, pathsColumn, toEntry } from './entry-store.ts'

// SQLite allows conditions to be nested at most 1,000 deep.
const PAIRS_PER_STATEMENT = 200

export async function findEntryById(db: Db, id: number): Promise<Entry | undefined> {
  const row = await db.selectFrom('content_entries').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toEntry(row)
}

/** Returns the entries with these IDs, by ID. */
export async function listEntriesById(db: Db, ids: readonly number[]): Promise<Map<number, Entry>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('content_entries').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toEntry(row)]))
}

/** Returns the texts of a content type that are longer than `over` characters. */
export async function listLongTexts(db: Db, typeSlug: string, { over }: { over: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('content_entries')
    .innerJoin('content_types', 'content_types.id', 'content_entries.type_id')
    .select('content_entries.body')
    .where('content_types.slug', '=', typeSlug)
    .where(sql`length(content_entries.body)`, '>', over)
    .execute()
  return rows.map(({ body }) => body)
}

/** Lists the titles of up to `limit` entries that were written by hand and have these words in their text or fields. */
export async function listTitlesWith(db: Db, words: string, { limit }: { limit: number }): Promise<string[]> {
  const pattern = `%${words.replaceAll(/[\\%_]/g, '\\$&')}%`
  const has = (column: 'body' | 'data_json') => sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`
  const rows = await db
    .selectFrom('content_entries')
    .select(['title', 'slug'])
    .where('is_generated', '=', 0)
    .where(({ or }) => or([has('body'), has('data_json')]))
    .orderBy('title')
    .limit(limit)
    .execute()
  return rows.map(({ title, slug }) => title || slug)
}

/** Returns the published entries among those with these types and slugs. */
export async function findPublishedEntries(
  db: Db,
  wanted: readonly { typeId: number; slug: string }[],
): Promise<Entry[]> {
  const found: Entry[] = []
  for (const chunk of chunksOf(wanted, PAIRS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('content_entries')
      .selectAll()
      .where('status', '=', 'published')
      .where(({ eb, or, and }) =>
        or(chunk.map(({ typeId, slug }) => and([eb('type_id', '=', typeId), eb('slug', '=', slug)]))),
      )
      .execute()
    found.push(...rows.map(toEntry))
  }
  return found
}

/** Returns the entries that former addresses redirect to, without their texts. */
export async function listFormerAddresses(
  db: Db,
): Promise<Pick<Entry, 'id' | 'slug' | 'title' | 'redirectFrom'>[]> {
  const rows = await db
    .selectFrom('content_entries')
    .select(['id', 'slug', 'title', 'redirect_from_json'])
    .where('redirect_from_json', 'is not', null)
    .execute()
  return rows.map(({ redirect_from_json: paths, ...row }) => ({
    ...row,
    redirectFrom: pathsColumn.decode(paths ?? '[]'),
  }))
}

/** Returns the IDs of an entry's terms, ascending. */
export async function listTermIdsOfEntry(db: Db, entryId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('entry_taxonomy_terms')
    .select('term_id')
    .where('entry_id', '=', entryId)
    .orderBy('term_id')
    .execute()
  return rows.map(({ term_id }) => term_id)
}

/** Changes the slug of an entry. */
export async function renameEntry(db: Db, id: number, slug: string): Promise<void> {
  await db.updateTable('content_entries').set({ slug }).where('id', '=', id).execute()
}
