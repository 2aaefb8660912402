import type { Db } from '../db/schema.ts'
import { chunksOf } from '../lib/in-parts.ts'
import type { MovedTerm } from './move-term.ts'

/** Moves terms within their tree. */
export async function moveTermRows(db: Db, rows: readonly MovedTerm[]): Promise<void> {
  for (const { id, parentId, position } of rows) {
    await db
      .updateTable('taxonomy_terms')
      .set({ parent_id: parentId, position })
      .where('id', '=', id)
      .execute()
  }
}

/** Counts the links between entries and each taxonomy's terms, by taxonomy ID. */
export async function countLinksByTaxonomy(db: Db): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('entry_taxonomy_terms as link')
    .innerJoin('taxonomy_terms as term', 'term.id', 'link.term_id')
    .select((row) => ['term.taxonomy_id as id', row.fn.countAll<number>().as('count')])
    .groupBy('term.taxonomy_id')
    .execute()
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}

/** Lists the content types whose entries have terms of a taxonomy, by ID. */
export function listClassifiedTypes(db: Db, taxonomyId: number): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('entry_taxonomy_terms as link')
    .innerJoin('taxonomy_terms as term', 'term.id', 'link.term_id')
    .innerJoin('content_types as type', 'type.id', 'link.type_id')
    .select(['type.id as id', 'type.name as name'])
    .distinct()
    .where('term.taxonomy_id', '=', taxonomyId)
    .orderBy('type.id')
    .execute()
}

/** Counts the terms of each taxonomy, by taxonomy ID. */
export async function countTermsByTaxonomy(db: Db): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('taxonomy_terms')
    .select((row) => ['taxonomy_id as id', row.fn.countAll<number>().as('count')])
    .groupBy('taxonomy_id')
    .execute()
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}

/** Counts the links between entries and these terms (§2.8). */
export async function countLinksOfTerms(db: Db, ids: readonly number[]): Promise<number> {
  let links = 0
  for (const chunk of chunksOf(ids)) {
    const { count } = await db
      .selectFrom('entry_taxonomy_terms')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('term_id', 'in', chunk)
      .executeTakeFirstOrThrow()
    links += Number(count)
  }
  return links
}
