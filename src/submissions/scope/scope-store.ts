import { sql } from 'kysely'
import { EVERY_LEAD, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'

/** Limits of an account: IDs of places, each with all below it, and of forms; null is everything. */
interface Limits {
  places: readonly number[] | null
  forms: readonly number[] | null
}

/** Looks up the leads that limits leave; without limits nothing is asked. */
export async function findLeadScope(db: Db, { places, forms }: Limits): Promise<LeadScope> {
  if (places === null && forms === null) return EVERY_LEAD
  return { places: places && (await listPlacesWithin(db, places)), forms }
}

// A place that was deleted is none of anybody's.
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
