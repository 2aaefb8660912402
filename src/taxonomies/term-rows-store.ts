import type { Selectable } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { chunksOf } from '../lib/in-parts.ts'

/** A stored row of a term. */
export type TermRow = Selectable<Schema['taxonomy_terms']>

/** Returns the rows of terms in the order of the IDs. */
export async function readTermRows(db: Db, ids: readonly number[]): Promise<TermRow[]> {
  const rows = new Map<number, TermRow>()
  for (const chunk of chunksOf(ids))
    for (const row of await db.selectFrom('taxonomy_terms').selectAll().where('id', 'in', chunk).execute())
      rows.set(row.id, row)
  return ids.flatMap((id) => rows.get(id) ?? [])
}

/** Restores deleted rows under their IDs. Parents come first. */
export async function putTermRowsBack(db: Db, rows: readonly TermRow[]): Promise<void> {
  for (const chunk of chunksOf(rows)) await db.insertInto('taxonomy_terms').values(chunk).execute()
}
