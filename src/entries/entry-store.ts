import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../db/schema.ts'
import { chunksOf } from '../lib/in-parts.ts'
import { jsonColumn } from '../lib/json-column.ts'
import { notePictureUses } from '../pictures/picture-use-store.ts'
import type { SlugRange } from './entry-range-store.ts'
import { isShownAt } from './entry-schedule-store.ts'

const BATCH_SIZE = 1_000

export type EntryStatus = 'draft' | 'published'

export interface Entry {
  id: number
  typeId: number
  /** Parts joined by `/`, one per placeholder of the type's route pattern (§2.9 rule 3). */
  slug: string
  title: string
  status: EntryStatus
  body: string
  /** The values of the type's fields by key. */
  data: Record<string, unknown>
  /** True if the entry exists only because a service is offered in a place. */
  isGenerated: boolean
  createdAt: string
  updatedAt: string
  /** If published, shown from this time on; UTC. */
  publishAt: string | null
  /** … and until this time. */
  unpublishAt: string | null
  /** Addresses that redirect to it, besides its page's own former addresses. */
  redirectFrom: string[]
}

/** The parts of an entry that people edit. Missing values stay unchanged; in a new entry they are empty. */
export type EntryValues = Pick<Entry, 'title' | 'status' | 'body' | 'data' | 'isGenerated'> &
  Partial<Pick<Entry, 'publishAt' | 'unpublishAt' | 'redirectFrom'>>

export type EntryRow = Selectable<Schema['content_entries']>

/** Filter for entries of a type: by status, by visibility at a time, or by a range of slugs. */
interface EntryFilter {
  status?: EntryStatus
  shownAt?: Date
  /** Only generated entries (a service is offered in a place), or only others. */
  isGenerated?: boolean
  range?: SlugRange
  /** Only entries with these characters in their text or fields. */
  textHas?: string
}

export const pathsColumn = jsonColumn(z.array(z.string()))

const dataColumn = jsonColumn(z.record(z.string(), z.unknown()))

/** Returns the entries of one type in slug order. */
export async function listEntries(db: Db, typeId: number, filter: EntryFilter = {}): Promise<Entry[]> {
  return (await listEntryRows(db, typeId, filter)).map(toEntry)
}

/** Returns the same as raw rows, to compare before reading them with `toEntry`. */
export function listEntryRows(db: Db, typeId: number, filter: EntryFilter): Promise<EntryRow[]> {
  return entriesOfType(db, typeId, filter).orderBy('slug').execute()
}

function entriesOfType(
  db: Db,
  typeId: number,
  { status, shownAt, isGenerated, range, textHas }: EntryFilter,
) {
  let query = db.selectFrom('content_entries').selectAll().where('type_id', '=', typeId)
  if (status) query = query.where('status', '=', status)
  if (isGenerated !== undefined) query = query.where('is_generated', '=', isGenerated ? 1 : 0)
  if (shownAt) query = query.where((row) => isShownAt(row, shownAt))
  if (textHas !== undefined)
    query = query.where(({ or, eb }) =>
      or([eb('body', 'like', `%${textHas}%`), eb('data_json', 'like', `%${textHas}%`)]),
    )
  if (range && range.after !== null) query = query.where('slug', '>', range.after)
  if (range && range.through !== null) query = query.where('slug', '<=', range.through)
  return query
}

/** Returns the entries of one type that a person wrote, in slug order, without generated ones. */
export function listWrittenEntries(db: Db, typeId: number): Promise<Entry[]> {
  return listEntries(db, typeId, { isGenerated: false })
}

/** Returns the IDs of those entries that exist, by slug. */
export async function findEntryIds(
  db: Db,
  typeId: number,
  slugs: readonly string[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const chunk of chunksOf(slugs)) {
    const rows = await db
      .selectFrom('content_entries')
      .select(['id', 'slug'])
      .where('type_id', '=', typeId)
      .where('slug', 'in', chunk)
      .execute()
    for (const row of rows) ids.set(row.slug, row.id)
  }
  return ids
}

/** Yields the entries of one type in slug order, in batches, so that memory stays flat. */
export async function* streamEntries(
  db: Db,
  typeId: number,
  { batchSize = BATCH_SIZE, ...filter }: EntryFilter & { batchSize?: number } = {},
): AsyncGenerator<Entry[]> {
  const query = entriesOfType(db, typeId, filter).orderBy('slug').limit(batchSize)
  let rows = await query.execute()
  while (rows.length > 0) {
    yield rows.map(toEntry)
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return
    rows = await query.where('slug', '>', last.slug).execute()
  }
}

export async function findEntry(db: Db, typeId: number, slug: string): Promise<Entry | undefined> {
  const row = await db
    .selectFrom('content_entries')
    .selectAll()
    .where('type_id', '=', typeId)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row && toEntry(row)
}

/** Inserts entries of one type, many rows at a time; returns their IDs by slug, which are new unless `ids` has them. */
export async function insertEntries(
  db: Db,
  typeId: number,
  entries: readonly (EntryValues & { slug: string })[],
  { now, ids: given }: { now: string; ids?: ReadonlyMap<string, number> },
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  const times = { created_at: now, updated_at: now }
  for (const chunk of chunksOf(entries)) {
    const rows = await db
      .insertInto('content_entries')
      .values(
        chunk.map((entry) => ({
          ...{ type_id: typeId, slug: entry.slug, ...toColumns(entry), ...times },
          ...(given?.has(entry.slug) && { id: given.get(entry.slug) }),
        })),
      )
      .returning(['id', 'slug'])
      .execute()
    for (const row of rows) ids.set(row.slug, row.id)
  }
  const named = entries.map(({ slug, ...entry }) => ({ ...entry, id: ids.get(slug) ?? 0 }))
  await notePictureUses(db, named, { isNew: true })
  return ids
}

/** Updates an entry, including its slug if another is given. */
export async function updateEntry(
  db: Db,
  id: number,
  values: EntryValues,
  { now, slug }: { now: string; slug?: string },
): Promise<void> {
  await db
    .updateTable('content_entries')
    .set({ ...toColumns(values), ...(slug !== undefined && { slug }), updated_at: now })
    .where('id', '=', id)
    .execute()
  await notePictureUses(db, [{ id, ...values }], { isNew: false })
}

/** Deletes entries and their links to terms (§2.8). */
export async function deleteEntries(db: Db, ids: readonly number[]): Promise<void> {
  for (const chunk of chunksOf(ids)) {
    await db.deleteFrom('content_entries').where('id', 'in', chunk).execute()
  }
}

/** Returns the term IDs of every entry of one type that has any, by entry ID; ascending. */
export async function listTermIdsByEntry(db: Db, typeId: number): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('entry_taxonomy_terms')
    .select(['entry_id', 'term_id'])
    .where('type_id', '=', typeId)
    .orderBy('entry_id')
    .orderBy('term_id')
    .execute()
  const byEntry = Map.groupBy(rows, ({ entry_id }) => entry_id)
  return new Map([...byEntry].map(([id, links]) => [id, links.map(({ term_id }) => term_id)]))
}

/** Replaces the terms of each of these entries of one type (§2.8). */
export async function replaceEntryTerms(
  db: Db,
  typeId: number,
  termIdsByEntry: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  const entryIds = [...termIdsByEntry.keys()]
  for (const chunk of chunksOf(entryIds)) {
    await db.deleteFrom('entry_taxonomy_terms').where('entry_id', 'in', chunk).execute()
  }
  const links = [...termIdsByEntry].flatMap(([entry_id, termIds]) =>
    [...new Set(termIds)].map((term_id) => ({ entry_id, term_id, type_id: typeId })),
  )
  for (const chunk of chunksOf(links)) {
    await db.insertInto('entry_taxonomy_terms').values(chunk).execute()
  }
}

/** Converts a row to an entry. */
export function toEntry(row: EntryRow): Entry {
  return {
    id: row.id,
    typeId: row.type_id,
    slug: row.slug,
    title: row.title,
    status: row.status,
    body: row.body,
    data: dataColumn.decode(row.data_json),
    isGenerated: row.is_generated === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publishAt: row.publish_at,
    unpublishAt: row.unpublish_at,
    redirectFrom: row.redirect_from_json === null ? [] : pathsColumn.decode(row.redirect_from_json),
  }
}

function toColumns(values: EntryValues) {
  return {
    title: values.title,
    status: values.status,
    body: values.body,
    data_json: dataColumn.encode(values.data),
    is_generated: values.isGenerated ? (1 as const) : (0 as const),
    publish_at: values.publishAt,
    unpublish_at: values.unpublishAt,
    redirect_from_json: toPathsColumn(values.redirectFrom),
  }
}

function toPathsColumn(paths: readonly string[] | undefined) {
  return paths && (paths.length === 0 ? null : pathsColumn.encode([...paths]))
}
