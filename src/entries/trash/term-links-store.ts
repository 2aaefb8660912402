import type { Selectable } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'

/** Links from entries to terms, and the former names of terms. */
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
  const known = await findEntryIdsAmong(
    db,
    links.map(({ entry_id }) => entry_id),
  )
  for (const chunk of chunksOf(links.filter(({ entry_id }) => known.has(entry_id))))
    await db
      .insertInto('entry_taxonomy_terms')
      .values(chunk)
      .onConflict((conflict) => conflict.columns(['entry_id', 'term_id']).doNothing())
      .execute()
  for (const chunk of chunksOf(formerNames)) await db.insertInto('former_names').values(chunk).execute()
  return links.filter(({ entry_id }) => !known.has(entry_id))
}

/** Returns those of these entries that exist. */
export async function findEntryIdsAmong(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const known = new Set<number>()
  for (const chunk of chunksOf(new Set(ids)))
    for (const { id } of await db
      .selectFrom('content_entries')
      .select('id')
      .where('id', 'in', chunk)
      .execute())
      known.add(id)
  return known
}
