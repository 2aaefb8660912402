import type { Selectable } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'

/** Links from entries to terms, and former names of either. */
export interface TermLinks {
  links: Selectable<Schema['entry_taxonomy_terms']>[]
  formerNames: Omit<Selectable<Schema['former_names']>, 'id'>[]
}

/** Returns the links and former names that are deleted with terms. */
export async function readTermLinks(db: Db, termIds: readonly number[]): Promise<TermLinks> {
  const rows: TermLinks = { links: [], formerNames: [] }
  for (const chunk of chunksOf(termIds)) {
    const links = db.selectFrom('entry_taxonomy_terms').selectAll().where('term_id', 'in', chunk)
    rows.links.push(...(await links.execute()))
    const names = await db.selectFrom('former_names').selectAll().where('term_id', 'in', chunk).execute()
    rows.formerNames.push(...names.map(({ id: _, ...row }) => row))
  }
  return rows
}

/**
 * Restores the links and former names, except links that exist already. Returns links of missing entries, which are
 * left out.
 */
export async function putTermLinksBack(
  db: Db,
  { links, formerNames }: TermLinks,
): Promise<TermLinks['links']> {
  const known = await findIdsAmong(
    db,
    'content_entries',
    links.map(({ entry_id }) => entry_id),
  )
  await insertTermLinks(db, { links: links.filter(({ entry_id }) => known.has(entry_id)), formerNames })
  return links.filter(({ entry_id }) => !known.has(entry_id))
}

/** Inserts links, except those that exist already, and former names. */
export async function insertTermLinks(db: Db, { links, formerNames }: TermLinks): Promise<void> {
  for (const chunk of chunksOf(links))
    await db
      .insertInto('entry_taxonomy_terms')
      .values(chunk)
      .onConflict((conflict) => conflict.columns(['entry_id', 'term_id']).doNothing())
      .execute()
  for (const chunk of chunksOf(formerNames)) await db.insertInto('former_names').values(chunk).execute()
}

/** Returns those of these IDs that a table has. */
export async function findIdsAmong(
  db: Db,
  table: 'content_entries' | 'taxonomy_terms',
  ids: readonly number[],
): Promise<Set<number>> {
  const known = new Set<number>()
  for (const chunk of chunksOf(new Set(ids)))
    for (const { id } of await db.selectFrom(table).select('id').where('id', 'in', chunk).execute())
      known.add(id)
  return known
}
