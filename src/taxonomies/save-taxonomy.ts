import type { Db } from '../db/schema.ts'
import type { TaxonomyDefinition, TermDefinition } from './taxonomy-definition.ts'
import {
  deleteTerms,
  findTaxonomy,
  insertTaxonomy,
  insertTerms,
  listTerms,
  type Term,
  type TermValues,
  updateTaxonomy,
  updateTerm,
} from './taxonomy-store.ts'

/**
 * Saves a taxonomy and its terms as defined. Terms are matched by slug, so a term that is moved, renamed, or reordered
 * keeps its ID and links. `removeTerms` removes those missing from the definition; without it they are deleted with
 * everything that depends on them (§2.7). `typeIds` are the content type IDs by slug. Call it inside a transaction.
 */
export async function saveTaxonomy(
  db: Db,
  slug: string,
  definition: TaxonomyDefinition,
  {
    typeIds,
    removeTerms = (ids) => deleteTerms(db, ids),
  }: {
    typeIds: ReadonlyMap<string, number>
    removeTerms?: ((ids: readonly number[]) => Promise<void>) | undefined
  },
): Promise<void> {
  const values = {
    name: definition.name,
    description: definition.description,
    isHierarchical: definition.is_hierarchical,
    appliesToTypeIds: definition.applies_to?.flatMap((type) => typeIds.get(type) ?? []) ?? null,
    sortOrder: definition.sort_order,
    hasArchive: definition.archive,
  }
  const existing = await findTaxonomy(db, slug)
  if (existing) await updateTaxonomy(db, existing.id, values)
  const taxonomyId = existing?.id ?? (await insertTaxonomy(db, slug, values))
  const gone = await saveTerms(db, taxonomyId, definition.terms)
  if (gone.length > 0) await removeTerms(gone)
}

interface Placed {
  definition: TermDefinition
  parentId: number | null
  position: number
}

// One level at a time, so that parents have ids before their children. Moves come before deletes: a delete takes
// everything below along. Returns the IDs of those that are not among them.
async function saveTerms(db: Db, taxonomyId: number, roots: readonly TermDefinition[]) {
  const removed = new Map((await listTerms(db, taxonomyId)).map((term) => [term.slug, term]))
  let level = place(roots, null)
  while (level.length > 0) {
    const ids = await saveLevel(db, taxonomyId, level, removed)
    for (const { definition } of level) removed.delete(definition.slug)
    level = level.flatMap(({ definition }) => place(definition.terms, ids.get(definition.slug) ?? null))
  }
  return [...removed.values()].map(({ id }) => id)
}

function place(terms: readonly TermDefinition[], parentId: number | null): Placed[] {
  return terms.map((definition, position) => ({ definition, parentId, position }))
}

async function saveLevel(
  db: Db,
  taxonomyId: number,
  level: readonly Placed[],
  existing: ReadonlyMap<string, Term>,
): Promise<Map<string, number>> {
  const terms = level.map((placed) => ({ slug: placed.definition.slug, ...toValues(placed) }))
  const added = terms.filter((term) => !existing.has(term.slug))
  const ids = await insertTerms(db, taxonomyId, added)
  for (const term of terms) {
    const row = existing.get(term.slug)
    if (!row) continue
    ids.set(term.slug, row.id)
    if (differs(row, term)) await updateTerm(db, row.id, term)
  }
  return ids
}

function toValues({ definition, parentId, position }: Placed): TermValues {
  const { name, description, former_slugs: formerSlugs = [], kind = null } = definition
  return { parentId, name, description, position, formerSlugs, kind }
}

function differs(row: Term, values: TermValues): boolean {
  return (
    row.parentId !== values.parentId ||
    row.name !== values.name ||
    row.description !== values.description ||
    row.position !== values.position ||
    row.kind !== values.kind ||
    row.formerSlugs.join(' ') !== values.formerSlugs?.join(' ')
  )
}
