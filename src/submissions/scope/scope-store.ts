import { sql } from 'kysely'
import { EVERY_LEAD, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'

/** An account's limits: IDs of places, each including all below it, and of forms; null means no limit. */
interface Limits {
  places: readonly number[] | null
  forms: readonly number[] | null
}

/** Finds the leads that the limits allow. Without limits it runs no query. */
export async function findLeadScope(db: Db, { places, forms }: Limits): Promise<LeadScope> {
  if (places === null && forms === null) return EVERY_LEAD
  return { places: places && (await listPlacesWithin(db, places)), forms }
}

// Leads of deleted places are outside every limit.
async function listPlacesWithin(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`with recursive below (id) as (
      select term.id from taxonomy_terms as term
      join taxonomies on taxonomies.id = term.taxonomy_id and taxonomies.slug = 'locations'
      where term.id in (${sql.join(ids)})
      union select term.id from taxonomy_terms as term join below on term.parent_id = below.id
    ) select id from below order by id`.execute(db)
  return rows.map(({ id }) => Number(id))
}
