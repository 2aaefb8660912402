import type { Db } from '../../db/schema.ts'
import { LOCATIONS } from '../../taxonomies/place-kind.ts'
import { listTermsOf } from '../../taxonomies/taxonomy-store.ts'
import { buildTermTree, type TermTree } from '../../taxonomies/term-tree.ts'

/** The tree of places. */
export function loadPlaces(db: Db): Promise<TermTree> {
  return loadTermTree(db, LOCATIONS)
}

export async function loadTermTree(db: Db, slug: string): Promise<TermTree> {
  return buildTermTree(await listTermsOf(db, slug))
}
