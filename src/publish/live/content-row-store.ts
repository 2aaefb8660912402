import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { isShownAt } from '../../entries/entry-schedule-store.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import type { ContentChange } from '../changes/change-store.ts'

const ENTRIES_PER_BATCH = 1_000
const SITE_SETTINGS = 'site'
/** IDs from here up are those of entries that only a copy of the live content has. */
export const FIRST_COPY_ID = 1_000_000_000_000

/** The tables that public pages are made of. A table comes after the ones its rows refer to. */
const CONTENT_TABLES = [
  'settings',
  'content_types',
  'taxonomies',
  'taxonomy_terms',
  'forms',
  'form_fields',
  'library_pictures',
  'content_entries',
  'entry_taxonomy_terms',
] as const

export type ContentTable = (typeof CONTENT_TABLES)[number]

/** A row as stored, without computed columns. */
export type ContentRow = Record<string, unknown>

/** Yields every row of the site at a time, in batches. */
export async function* streamContentRows(
  db: Db,
  shownAt: Date,
): AsyncGenerator<{ table: ContentTable; rows: ContentRow[] }> {
  const site = await db.selectFrom('settings').selectAll().where('key', '=', SITE_SETTINGS).execute()
  yield { table: 'settings', rows: site }
  for (const table of [
    'content_types',
    'taxonomies',
    'taxonomy_terms',
    'forms',
    'form_fields',
    'library_pictures',
  ] as const)
    yield { table, rows: (await db.selectFrom(table).selectAll().execute()).map(storable) }
  yield* streamEntryRows(db, shownAt)
}

/**
 * Yields the rows of changed subjects that the site shows at a time: entries, their terms, and texts of terms.
 * `gone` rows are removed first to make room.
 */
export async function* streamTouchedRows(
  db: Db,
  touched: readonly ContentChange[],
  shownAt: Date,
): AsyncGenerator<{ table: ContentTable; rows: ContentRow[]; gone: number[] }> {
  const idsOf = (isTerm: boolean) => [
    ...new Set(
      touched
        .filter(({ subject }) => (subject === 'term') === isTerm)
        .map(({ subjectId }) => Number(subjectId)),
    ),
  ]
  const terms = idsOf(true)
  yield { table: 'taxonomy_terms', gone: [], rows: await listRows(db, 'taxonomy_terms', 'id', terms) }
  for (const gone of chunksOf(idsOf(false))) {
    const shown = db.selectFrom('content_entries').selectAll().where('id', 'in', gone)
    const rows = await shown.where((row) => isShownAt(row, shownAt)).execute()
    yield { table: 'content_entries', gone, rows: rows.map(storable) }
    const ids = rows.map(({ id }) => id)
    const links = await listRows(db, 'entry_taxonomy_terms', 'entry_id', ids)
    yield { table: 'entry_taxonomy_terms', gone: [], rows: links }
  }
}

async function* streamEntryRows(db: Db, shownAt: Date) {
  const query = db
    .selectFrom('content_entries')
    .selectAll()
    .where((row) => isShownAt(row, shownAt))
    .orderBy('id')
    .limit(ENTRIES_PER_BATCH)
  let entries = await query.execute()
  while (entries.length > 0) {
    const ids = entries.map(({ id }) => id)
    yield { table: 'content_entries' as const, rows: entries.map(storable) }
    const links = await listRows(db, 'entry_taxonomy_terms', 'entry_id', ids)
    yield { table: 'entry_taxonomy_terms' as const, rows: links }
    entries = await query.where('id', '>', ids.at(-1) ?? 0).execute()
  }
}

/** Returns the rows that have one of these values in a column. */
export async function listRows(
  db: Db,
  table: ContentTable,
  column: string,
  values: readonly unknown[],
): Promise<ContentRow[]> {
  const rows: ContentRow[] = []
  const query = db.selectFrom(table as 'settings').selectAll()
  for (const chunk of chunksOf(values))
    rows.push(...(await query.where(sql.ref(column), 'in', chunk).execute()))
  return rows.map(storable)
}

/** Inserts these rows or updates those with the same key. Rows that refer to them stay. */
export async function putRows(db: Db, table: ContentTable, rows: readonly ContentRow[]): Promise<void> {
  const key = table === 'settings' ? 'key' : 'id'
  for (const chunk of chunksOf(rows))
    await db
      .insertInto(table as 'settings')
      .values(chunk as never)
      .onConflict((one) => one.column(key as 'key').doUpdateSet(newer(chunk)))
      .execute()
}

/** Updates the row with an ID. */
export async function changeRow(db: Db, table: ContentTable, id: number, values: ContentRow): Promise<void> {
  await db
    .updateTable(table as 'settings')
    .set(values as never)
    .where(sql.ref('id'), '=', id)
    .execute()
}

/** Gives new entries of a copy IDs that no entry of the database has. SQLite only. */
export async function reserveIds(copy: Db): Promise<void> {
  const table = 'content_entries'
  await sql`delete from sqlite_sequence where name = ${table}`.execute(copy)
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${FIRST_COPY_ID})`.execute(copy)
}

/** Lists the services of the entries that were added to a copy under IDs of its own. */
export async function listServicesOfNew(copy: Db): Promise<number[]> {
  const rows = await copy
    .selectFrom('content_entries')
    .select('service_entry_id as id')
    .distinct()
    .where('id', '>=', FIRST_COPY_ID)
    .execute()
  return rows.flatMap(({ id }) => (id === null ? [] : [Number(id)]))
}

/** Inserts rows unchanged. */
export async function insertRows(db: Db, table: ContentTable, rows: readonly ContentRow[]): Promise<void> {
  // A file of an earlier version may have other columns.
  if (!CONTENT_TABLES.includes(table)) return
  const query = db.insertInto(table as 'settings')
  for (const chunk of chunksOf(rows)) {
    const adding = query.values(chunk as never)
    // An existing term stays, because deleting it would delete everything in it.
    const isTerm = table === 'taxonomy_terms'
    await (isTerm
      ? adding.onConflict((one) => one.column('id' as never).doUpdateSet(newer(chunk)))
      : adding
    ).execute()
  }
}

function newer([row = {}]: readonly ContentRow[]) {
  return Object.fromEntries(Object.keys(row).map((column) => [column, sql.ref(`excluded.${column}`)]))
}

export async function deleteRows(
  db: Db,
  table: ContentTable,
  column: string,
  values: readonly unknown[],
): Promise<void> {
  const query = db.deleteFrom(table as 'settings')
  for (const chunk of chunksOf(values)) await query.where(sql.ref(column), 'in', chunk).execute()
}

/** Defers foreign key checks until the transaction ends. SQLite only. */
export async function deferForeignKeys(copy: Db): Promise<void> {
  await sql`pragma defer_foreign_keys = on`.execute(copy)
}

/** Empties a copy, inside a transaction. SQLite only. */
export async function clearCopy(copy: Db): Promise<void> {
  await deferForeignKeys(copy)
  for (const table of CONTENT_TABLES.toReversed()) await copy.deleteFrom(table).execute()
}

/** Makes every entry of a copy visible, whatever its schedule says. */
export async function showAll(copy: Db, at: Date): Promise<void> {
  const moment = at.toISOString()
  const entries = copy.updateTable('content_entries')
  await entries.set({ publish_at: null }).where('publish_at', '>', moment).execute()
  await entries.set({ unpublish_at: null }).where('unpublish_at', '<=', moment).execute()
}

// The database computes the first two itself, and copies have no accounts.
function storable({
  service_entry_id: _service,
  location_term_id: _location,
  ...row
}: ContentRow): ContentRow {
  return 'updated_by' in row ? { ...row, updated_by: null } : row
}
