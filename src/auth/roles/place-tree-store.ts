import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

/** Returns the IDs of these places and all places below them, leaving out deleted ones. */
export async function listPlacesBelow(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`with recursive below (id) as (
      select term.id from taxonomy_terms as term
      join taxonomies on taxonomies.id = term.taxonomy_id and taxonomies.slug = 'locations'
      where term.id in (${sql.join(ids)})
      union select term.id from taxonomy_terms as term join below on term.parent_id = below.id
    ) select id from below`.execute(db)
  return new Set(rows.map(({ id }) => Number(id)))
}
