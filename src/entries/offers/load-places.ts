import type { Db } from '../../db/schema.ts'
import { findTaxonomy, listTerms } from '../../taxonomies/taxonomy-store.ts'
import { buildTermTree, type TermTree } from '../../taxonomies/term-tree.ts'

/** The tree of places. */
export async function loadPlaces(db: Db): Promise<TermTree> {
  const taxonomy = await findTaxonomy(db, 'locations')
  return buildTermTree(taxonomy ? await listTerms(db, taxonomy.id) : [])
}
