import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { chunksOf } from '../lib/in-parts.ts'
import { type NameParts, nameOfEntry } from './entry-name.ts'
import { type Entry, pathsColumn, toEntry } from './entry-store.ts'

/** A save adds its entries last. */
const NEWEST_READ = 100

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

/** An entry with the name that people know. */
export interface NamedEntry {
  id: number
  /** The slug of its type. */
  type: string
  name: string
}

/** Words in texts, however their lines break; inside the longer text `except` they don't count. */
interface WantedWords {
  value: string
  except?: string
  /** Digits of a phone number, which is found in any spelling. */
  digits?: string
}

const PHONE_SIGNS = [' ', '\u00a0', '-', '\u2011', '(', ')', '.', '/', '\n', '\\n']

/**
 * Lists up to `limit` published entries that were written by hand and have these words in their texts, in this case,
 * with the number of all of them.
 */
export async function listPublishedWith(
  db: Db,
  words: WantedWords,
  { limit }: { limit: number },
): Promise<{ pages: NamedEntry[]; count: number }> {
  const rows = await publishedWith(namedEntries(db), words)
    .select(sql<number>`count(*) over ()`.as('count'))
    .orderBy('type.sort_order')
    .orderBy('entry.slug')
    .limit(limit)
    .execute()
  return { pages: rows.map(toNamed), count: Number(rows[0]?.count ?? 0) }
}

function publishedWith(
  entries: ReturnType<typeof namedEntries>,
  { value, except = '', digits }: WantedWords,
) {
  const has = (column: 'title' | 'body' | 'data_json') => {
    if (digits !== undefined) return hasDigits(sql.ref(`entry.${column}`), digits)
    const written = (text: string) => (column === 'data_json' ? JSON.stringify(text).slice(1, -1) : text)
    // In JSON the end of a line is an escape.
    const whole = sql`replace(replace(${sql.ref(`entry.${column}`)}, ${'\n'}, ' '), ${'\\n'}, ' ')`
    // Replacing a text is the only search that respects the case in both databases.
    const text = except === '' ? whole : sql`replace(${whole}, ${written(except)}, '')`
    return sql<boolean>`replace(${text}, ${written(value)}, '') <> ${text}`
  }
  return entries
    .where('entry.is_generated', '=', 0)
    .where('entry.status', '=', 'published')
    .where(({ or }) => or([has('title'), has('body'), has('data_json')]))
}

function hasDigits(column: RawBuilder<unknown>, digits: string) {
  const text = PHONE_SIGNS.reduce((before, sign) => sql`replace(${before}, ${sign}, '')`, column)
  return sql<boolean>`${text} like ${`%${digits}%`}`
}

/** Lists up to `limit` local pages that were added at a time (UTC text), among the newest entries. */
export async function listPagesAddedAt(
  db: Db,
  now: string,
  { limit }: { limit: number },
): Promise<NamedEntry[]> {
  const newest = db.selectFrom('content_entries').select('id').orderBy('id', 'desc').limit(NEWEST_READ)
  const rows = await namedEntries(db)
    .where('entry.id', 'in', newest)
    .where('entry.created_at', '=', now)
    .where('entry.service_entry_id', 'is not', null)
    .orderBy('entry.id')
    .limit(limit)
    .execute()
  return rows.map(toNamed)
}

/** Returns these entries with the names that people know, and whether they have pages, by ID. */
export async function listNamesById(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, NamedEntry & { hasPage: boolean }>> {
  if (ids.length === 0) return new Map()
  const rows = await namedEntries(db).select('type.is_routable').where('entry.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, { ...toNamed(row), hasPage: row.is_routable === 1 }]))
}

function namedEntries(db: Db) {
  return db
    .selectFrom('content_entries as entry')
    .innerJoin('content_types as type', 'type.id', 'entry.type_id')
    .leftJoin('content_entries as service', 'service.id', 'entry.service_entry_id')
    .leftJoin('taxonomy_terms as place', 'place.id', 'entry.location_term_id')
    .select(['entry.id', 'type.slug as type', 'entry.title', 'entry.slug'])
    .select(['service.title as service', 'place.name as place'])
}

function toNamed({ id, type, ...parts }: Omit<NamedEntry, 'name'> & NameParts): NamedEntry {
  return { id, type, name: nameOfEntry(parts) }
}

/** Returns what people call the entries with these IDs, by ID. */
export async function listEntryNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  for (const chunk of chunksOf(ids))
    for (const row of await namedEntries(db).where('entry.id', 'in', chunk).execute())
      names.set(row.id, nameOfEntry(row))
  return names
}

/** Returns what people call an entry. */
export async function findEntryName(
  db: Db,
  { id, title, slug }: Pick<Entry, 'id' | 'title' | 'slug'>,
): Promise<string> {
  return title || ((await listEntryNames(db, [id])).get(id) ?? slug)
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
