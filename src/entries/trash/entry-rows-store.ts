import type { Selectable } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import { notePictureUses } from '../../pictures/picture-use-store.ts'

type Row<Table extends keyof Schema> = Selectable<Schema[Table]>

/** Stored rows of entries, without computed columns. */
export interface EntryRows {
  entries: Omit<Row<'content_entries'>, 'service_entry_id' | 'location_term_id'>[]
  links: Row<'entry_taxonomy_terms'>[]
  formerNames: Omit<Row<'former_names'>, 'id'>[]
}

/** Returns the rows of entries and the rows deleted with them. */
export async function readEntryRows(db: Db, ids: readonly number[]): Promise<EntryRows> {
  const rows: EntryRows = { entries: [], links: [], formerNames: [] }
  for (const chunk of chunksOf(ids)) {
    const entries = await db.selectFrom('content_entries').selectAll().where('id', 'in', chunk).execute()
    rows.entries.push(
      ...entries.map(({ service_entry_id: _service, location_term_id: _place, ...row }) => row),
    )
    rows.links.push(
      ...(await db.selectFrom('entry_taxonomy_terms').selectAll().where('entry_id', 'in', chunk).execute()),
    )
    const names = await db.selectFrom('former_names').selectAll().where('entry_id', 'in', chunk).execute()
    rows.formerNames.push(...names.map(({ id: _, ...row }) => row))
  }
  return rows
}

/** Restores deleted rows under their IDs. Returns links to missing terms, which are left out. */
export async function putEntryRowsBack(
  db: Db,
  { entries, links, formerNames }: EntryRows,
  { now }: { now: string },
): Promise<EntryRows['links']> {
  const changed = entries.map((row) => ({ ...row, updated_at: now }))
  for (const chunk of chunksOf(changed)) await db.insertInto('content_entries').values(chunk).execute()
  const named = changed.map(({ id, body, data_json }) => ({ id, body, data: JSON.parse(data_json) }))
  await notePictureUses(db, named, { isNew: true })
  const known = await findTermIds(
    db,
    links.map(({ term_id }) => term_id),
  )
  for (const chunk of chunksOf(links.filter(({ term_id }) => known.has(term_id))))
    await db
      .insertInto('entry_taxonomy_terms')
      .values(chunk)
      .onConflict((conflict) => conflict.columns(['entry_id', 'term_id']).doNothing())
      .execute()
  for (const chunk of chunksOf(formerNames)) await db.insertInto('former_names').values(chunk).execute()
  return links.filter(({ term_id }) => !known.has(term_id))
}

/** Returns those of these terms that exist. */
export async function findTermIds(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const known = new Set<number>()
  for (const chunk of chunksOf(new Set(ids)))
    for (const { id } of await db
      .selectFrom('taxonomy_terms')
      .select('id')
      .where('id', 'in', chunk)
      .execute())
      known.add(id)
  return known
}
