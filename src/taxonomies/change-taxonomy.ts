import type { Db } from '../db/schema.ts'
import { MAX_SLUG_LENGTH } from '../lib/slug.ts'
import { versionOf } from '../lib/stored-version.ts'
import {
  deleteTaxonomy,
  findTaxonomy,
  insertTaxonomy,
  listTerms,
  type Taxonomy,
  type TaxonomyValues,
  updateTaxonomy,
} from './taxonomy-store.ts'
import { listClassifiedTypes } from './term-change-store.ts'

const TAXONOMY_SLUG = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/

export const TAXONOMY_SLUG_RULE = 'lower-case letters, digits, hyphens and underscores'

export function isTaxonomySlug(text: string): boolean {
  return text.length <= MAX_SLUG_LENGTH && TAXONOMY_SLUG.test(text)
}

/** Makes a taxonomy without terms. */
export async function createTaxonomy(
  db: Db,
  slug: string,
  values: TaxonomyValues,
): Promise<{ kind: 'created'; id: number } | { kind: 'slug_taken' }> {
  return db.transaction().execute(async (trx) => {
    if (await findTaxonomy(trx, slug)) return { kind: 'slug_taken' as const }
    return { kind: 'created' as const, id: await insertTaxonomy(trx, slug, values) }
  })
}

export type ChangeTaxonomyOutcome =
  | { kind: 'saved' | 'has_levels' }
  /** Entries of these types have its terms, and it would not apply to them any more. */
  | { kind: 'classifies'; typeIds: number[] }
  /** Somebody else changed it to `version` after this person had begun. */
  | { kind: 'outdated'; version: string }

/** Another text for other values of what a taxonomy says of itself. */
export function taxonomyVersion(taxonomy: Taxonomy): string {
  return versionOf(taxonomy)
}

/**
 * Changes what a taxonomy says of itself. It keeps its levels while a term stands below another one, and the types that
 * it applies to while their entries have its terms: files refuse both. `basedOn` is the `taxonomyVersion` that the
 * person saw.
 */
export async function changeTaxonomy(
  db: Db,
  slug: string,
  { values, basedOn }: { values: TaxonomyValues; basedOn?: string | undefined },
): Promise<ChangeTaxonomyOutcome | undefined> {
  return db.transaction().execute(async (trx): Promise<ChangeTaxonomyOutcome | undefined> => {
    const taxonomy = await findTaxonomy(trx, slug)
    if (!taxonomy) return undefined
    const version = taxonomyVersion(taxonomy)
    if (basedOn !== undefined && basedOn !== version) return { kind: 'outdated', version }
    const terms = values.isHierarchical ? [] : await listTerms(trx, taxonomy.id)
    if (terms.some(({ parentId }) => parentId !== null)) return { kind: 'has_levels' }
    const typeIds = await listLeftTypes(trx, taxonomy, values)
    if (typeIds.length > 0) return { kind: 'classifies', typeIds }
    await updateTaxonomy(trx, taxonomy.id, values)
    return { kind: 'saved' }
  })
}

async function listLeftTypes(db: Db, { id }: Taxonomy, { appliesToTypeIds }: TaxonomyValues) {
  if (appliesToTypeIds === null) return []
  return (await listClassifiedTypes(db, id)).filter((typeId) => !appliesToTypeIds.includes(typeId))
}

/** Deletes a taxonomy with its terms and their links (§2.7, §2.8). A built-in one stays. */
export async function removeTaxonomy(
  db: Db,
  slug: string,
): Promise<{ kind: 'removed' } | { kind: 'is_builtin' } | undefined> {
  return db.transaction().execute(async (trx) => {
    const taxonomy = await findTaxonomy(trx, slug)
    if (!taxonomy) return undefined
    if (taxonomy.isBuiltin) return { kind: 'is_builtin' as const }
    await deleteTaxonomy(trx, taxonomy.id)
    return { kind: 'removed' as const }
  })
}
