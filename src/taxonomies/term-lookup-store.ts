import type { Db } from '../db/schema.ts'
import { chunksOf } from '../lib/in-parts.ts'

/** Returns the names of these terms of any taxonomy, by ID; deleted ones are missing. */
export async function listTermNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  for (const chunk of chunksOf(ids)) {
    const rows = await db
      .selectFrom('taxonomy_terms')
      .select(['id', 'name'])
      .where('id', 'in', chunk)
      .execute()
    for (const { id, name } of rows) names.set(id, name)
  }
  return names
}

/** Returns when a term was added; UTC text. Throws if there is none. */
export async function findCreatedAt(db: Db, id: number): Promise<string> {
  const query = db.selectFrom('taxonomy_terms').select('created_at').where('id', '=', id)
  return (await query.executeTakeFirstOrThrow()).created_at
}

/** Returns these terms of any taxonomy with their taxonomy's slug, by ID; deleted ones are missing. */
export async function listTermsById(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { slug: string; name: string; taxonomySlug: string }>> {
  const terms = new Map<number, { slug: string; name: string; taxonomySlug: string }>()
  for (const chunk of chunksOf(ids)) {
    const rows = await db
      .selectFrom('taxonomy_terms')
      .innerJoin('taxonomies', 'taxonomies.id', 'taxonomy_terms.taxonomy_id')
      .select(['taxonomy_terms.id', 'taxonomy_terms.slug', 'taxonomy_terms.name'])
      .select('taxonomies.slug as taxonomySlug')
      .where('taxonomy_terms.id', 'in', chunk)
      .execute()
    for (const { id, ...term } of rows) terms.set(id, term)
  }
  return terms
}
