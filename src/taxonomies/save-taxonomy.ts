import type { Db } from '../db/schema.ts'
import type { Saving } from '../versions/version.ts'
import { recordTerm } from './record-term.ts'
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
 * Saves a taxonomy and its terms as defined. Terms are matched by slug, so a term that is moved, renamed, or
 * reordered keeps its ID and links. `removeTerms` removes those missing from the definition; without it, they are
 * deleted with everything that depends on them (§2.7). `typeIds` are the content type IDs by slug. Changed terms get
 * a version. Call it inside a transaction.
 */
export async function saveTaxonomy(
  db: Db,
  slug: string,
  definition: TaxonomyDefinition,
  {
    typeIds,
    removeTerms = (ids) => deleteTerms(db, ids),
    saving,
  }: {
    typeIds: ReadonlyMap<string, number>
    removeTerms?: ((ids: readonly number[]) => Promise<void>) | undefined
    saving: Saving
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
  const gone = await saveTerms(db, taxonomyId, definition.terms, saving)
  if (gone.length > 0) await removeTerms(gone)
}

interface Placed {
  definition: TermDefinition
  parentId: number | null
  position: number
}

// One level at a time, so that parents have IDs before their children. Moves come before deletes, because a delete
// removes everything below. Returns the IDs of the terms missing from the definition.
async function saveTerms(db: Db, taxonomyId: number, roots: readonly TermDefinition[], saving: Saving) {
  const removed = new Map((await listTerms(db, taxonomyId)).map((term) => [term.slug, term]))
  let level = place(roots, null)
  while (level.length > 0) {
    const ids = await saveLevel(db, taxonomyId, { level, existing: removed }, saving)
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
  { level, existing }: { level: readonly Placed[]; existing: ReadonlyMap<string, Term> },
  saving: Saving,
): Promise<Map<string, number>> {
  const terms = level.map((placed) => ({ slug: placed.definition.slug, ...toValues(placed) }))
  const added = terms.filter((term) => !existing.has(term.slug))
  const ids = await insertTerms(db, taxonomyId, added)
  for (const term of terms) {
    const row = existing.get(term.slug)
    if (!row) continue
    ids.set(term.slug, row.id)
    if (!differs(row, term)) continue
    await updateTerm(db, row.id, term)
    await recordTerm(db, row.id, { before: row, after: { ...term, kind: term.kind ?? null } }, saving)
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
