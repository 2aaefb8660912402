import type { Db } from '../db/schema.ts'
import { findOutdated, type Outcome, versionOf } from '../lib/outcome.ts'
import { MAX_SLUG_LENGTH } from '../lib/slug.ts'
import type { AdminProblem } from '../messages/admin/problems.ts'
import { changeContent } from '../versions/content-turn-store.ts'
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

export function isTaxonomySlug(text: string): boolean {
  return text.length <= MAX_SLUG_LENGTH && TAXONOMY_SLUG.test(text)
}

/** Creates a taxonomy without terms. Returns its ID. */
export async function createTaxonomy(
  db: Db,
  slug: string,
  values: TaxonomyValues,
): Promise<Outcome<number, AdminProblem>> {
  return changeContent(db, async (trx) => {
    if (await findTaxonomy(trx, slug))
      return { kind: 'invalid', problems: [{ path: ['slug'], code: 'slug_taken', params: { slug } }] }
    return { kind: 'saved', value: await insertTaxonomy(trx, slug, values) }
  })
}

/** Returns a text that differs whenever a taxonomy's values differ. */
export function taxonomyVersion(taxonomy: Taxonomy): string {
  return versionOf(taxonomy)
}

/**
 * Changes a taxonomy. It stays hierarchical while a term has a parent, and it applies to a type while entries of
 * that type have its terms; the same rules hold for files. `basedOn` is the `taxonomyVersion` that the person saw.
 */
export async function changeTaxonomy(
  db: Db,
  slug: string,
  { values, basedOn }: { values: TaxonomyValues; basedOn?: string | undefined },
): Promise<Outcome<Taxonomy, AdminProblem>> {
  return changeContent(db, async (trx) => {
    const taxonomy = await findTaxonomy(trx, slug)
    if (!taxonomy) return { kind: 'not_found' }
    const outdated = findOutdated(taxonomyVersion(taxonomy), basedOn)
    if (outdated) return outdated
    const problems = await check(trx, taxonomy, values)
    if (problems.length > 0) return { kind: 'invalid', problems }
    await updateTaxonomy(trx, taxonomy.id, values)
    return { kind: 'saved', value: taxonomy }
  })
}

async function check(db: Db, taxonomy: Taxonomy, values: TaxonomyValues): Promise<AdminProblem[]> {
  const terms = values.isHierarchical ? [] : await listTerms(db, taxonomy.id)
  if (terms.some(({ parentId }) => parentId !== null))
    return [{ path: ['is_hierarchical'], code: 'has_levels' }]
  const types = await listLeftTypes(db, taxonomy, values)
  return types.length > 0 ? [{ path: ['applies'], code: 'classifies', params: { types } }] : []
}

async function listLeftTypes(db: Db, { id }: Taxonomy, { appliesToTypeIds }: TaxonomyValues) {
  if (appliesToTypeIds === null) return []
  const types = await listClassifiedTypes(db, id)
  return types.filter((type) => !appliesToTypeIds.includes(type.id)).map(({ name }) => name)
}

/** Deletes a taxonomy with its terms and their links (§2.7, §2.8). Built-in ones can't be deleted. */
export async function removeTaxonomy(db: Db, slug: string): Promise<Outcome<Taxonomy, never, 'builtin'>> {
  return changeContent(db, async (trx) => {
    const taxonomy = await findTaxonomy(trx, slug)
    if (!taxonomy) return { kind: 'not_found' }
    if (taxonomy.isBuiltin) return { kind: 'refused', code: 'builtin' }
    await deleteTaxonomy(trx, taxonomy.id)
    return { kind: 'saved', value: taxonomy }
  })
}
