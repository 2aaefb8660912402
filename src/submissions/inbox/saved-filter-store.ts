import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/schema.ts'
import { jsonColumn } from '../../lib/json-column.ts'

const filterColumn = jsonColumn(z.record(z.string(), z.string()))

/** A filter of the inbox that a user keeps. */
export interface SavedFilter {
  id: number
  name: string
  /** True if the team sees it too. */
  isShared: boolean
  isOwn: boolean
  /** Query of the list's address, by name: `{ status: 'new', form: 'quote' }`. */
  parameters: Readonly<Record<string, string>>
}

/**
 * Lists what a user sees: their own filters, and shared ones. A name or a place of a filter may tell of places or forms, so
 * a user with limits sees shared filters of users with the same limits only.
 */
export async function listSavedFilters(db: Db, userId: number): Promise<SavedFilter[]> {
  const rows = await db
    .selectFrom('saved_filters as filter')
    .innerJoin('admin_users as author', 'author.id', 'filter.user_id')
    .innerJoin('admin_users as reader', (join) => join.on('reader.id', '=', userId))
    .select(['filter.id', 'filter.name', 'filter.is_shared', 'filter.user_id', 'filter.filter_json'])
    .where(
      sql<boolean>`filter.user_id = reader.id or (filter.is_shared = 1 and (
        (reader.place_limit_json is null and reader.form_limit_json is null)
        or (reader.place_limit_json is not distinct from author.place_limit_json
          and reader.form_limit_json is not distinct from author.form_limit_json)))`,
    )
    .orderBy('filter.name')
    .orderBy('filter.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    isShared: row.is_shared === 1,
    isOwn: row.user_id === userId,
    parameters: filterColumn.safeDecode(row.filter_json).data ?? {},
  }))
}

interface FilterInput {
  name: string
  isShared: boolean
}

/** Adds a filter; returns its ID. */
export async function insertSavedFilter(
  db: Db,
  userId: number,
  { name, isShared, parameters }: FilterInput & Pick<SavedFilter, 'parameters'>,
): Promise<number> {
  const { id } = await db
    .insertInto('saved_filters')
    .values({
      user_id: userId,
      name,
      is_shared: isShared ? 1 : 0,
      filter_json: JSON.stringify(parameters),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Renames a filter, and shares it or no longer does. */
export async function updateSavedFilter(db: Db, id: number, { name, isShared }: FilterInput): Promise<void> {
  const columns = { name, is_shared: isShared ? 1 : 0 } as const
  await db.updateTable('saved_filters').set(columns).where('id', '=', id).execute()
}

/** Deletes a filter. */
export async function deleteSavedFilter(db: Db, id: number): Promise<void> {
  await db.deleteFrom('saved_filters').where('id', '=', id).execute()
}
