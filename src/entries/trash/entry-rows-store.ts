import type { Selectable } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import { notePictureUses } from '../../pictures/picture-use-store.ts'
import { withTodaysNames } from '../offers/todays-names.ts'
import { listContentTypes } from '../types/content-type-store.ts'
import { findIdsAmong, insertTermLinks, type TermLinks } from './term-links-store.ts'

/** Stored rows of entries, without computed columns. */
export interface EntryRows extends TermLinks {
  entries: Omit<Selectable<Schema['content_entries']>, 'service_entry_id' | 'location_term_id'>[]
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

/**
 * Restores deleted rows under their IDs, with today's slugs of what they name. Returns links to missing terms, which are
 * left out.
 */
export async function putEntryRowsBack(
  db: Db,
  { entries, links, formerNames }: EntryRows,
  { now, deletedAt: at }: { now: string; deletedAt?: string },
): Promise<EntryRows['links']> {
  const types = new Map((await listContentTypes(db)).map(({ id, slug }) => [id, slug]))
  const changed: EntryRows['entries'] = []
  for (const row of entries) {
    const named = { type: types.get(row.type_id) ?? '', data: JSON.parse(row.data_json), at }
    changed.push({ ...row, data_json: JSON.stringify(await withTodaysNames(db, named)), updated_at: now })
  }
  for (const chunk of chunksOf(changed)) await db.insertInto('content_entries').values(chunk).execute()
  const named = changed.map(({ id, body, data_json }) => ({ id, body, data: JSON.parse(data_json) }))
  await notePictureUses(db, named, { isNew: true })
  const known = await findIdsAmong(
    db,
    'taxonomy_terms',
    links.map(({ term_id }) => term_id),
  )
  await insertTermLinks(db, { links: links.filter(({ term_id }) => known.has(term_id)), formerNames })
  return links.filter(({ term_id }) => !known.has(term_id))
}
