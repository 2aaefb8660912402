import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/schema.ts'
import { jsonColumn } from '../../lib/json-column.ts'

const filterColumn = jsonColumn(z.record(z.string(), z.string()))

/** An inbox filter that a user saved. */
export interface SavedFilter {
  id: number
  name: string
  /** True if it is shared with the team. */
  isShared: boolean
  isOwn: boolean
  /** Query parameters of the list's URL: `{ status: 'new', form: 'quote' }`. */
  parameters: Readonly<Record<string, string>>
}

/**
 * Lists the filters a user sees: their own and shared ones. Because filters may contain names of places or forms,
 * users with limits see only filters shared by users with the same limits.
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

/** Renames a filter and sets whether it is shared. */
export async function updateSavedFilter(db: Db, id: number, { name, isShared }: FilterInput): Promise<void> {
  const columns = { name, is_shared: isShared ? 1 : 0 } as const
  await db.updateTable('saved_filters').set(columns).where('id', '=', id).execute()
}

/** Updates the filters for a form whose slug changed. */
export async function renameFormInFilters(db: Db, { from, to }: { from: string; to: string }): Promise<void> {
  for (const { id, filter_json } of await db.selectFrom('saved_filters').selectAll().execute()) {
    const { data: parameters } = filterColumn.safeDecode(filter_json)
    if (parameters?.form !== from) continue
    const renamed = JSON.stringify({ ...parameters, form: to })
    await db.updateTable('saved_filters').set({ filter_json: renamed }).where('id', '=', id).execute()
  }
}

/** Deletes a filter. */
export async function deleteSavedFilter(db: Db, id: number): Promise<void> {
  await db.deleteFrom('saved_filters').where('id', '=', id).execute()
}
