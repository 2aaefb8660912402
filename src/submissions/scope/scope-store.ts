import { sql } from 'kysely'
import { z } from 'zod'
import { EVERY_LEAD, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { jsonColumn } from '../../lib/json-column.ts'

const slugsColumn = jsonColumn(z.array(z.string()))

/** Limits of an account: IDs of places, each with all below it, and of forms; null is everything. */
interface Limits {
  places: readonly number[] | null
  forms: readonly number[] | null
}

/** Looks up the leads that limits leave; without limits nothing is asked. */
export async function findLeadScope(db: Db, { places, forms }: Limits): Promise<LeadScope> {
  if (places === null && forms === null) return EVERY_LEAD
  return { places: places && (await listSlugs(db, places)), forms }
}

interface PlaceRow {
  slug: string
  former_slugs_json: string | null
  former_slug: string | null
}

// A lead keeps the slug that its place had. A slug that another place has today stands for that one.
async function listSlugs(db: Db, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<PlaceRow>`with recursive below (id) as (
      select term.id from taxonomy_terms as term
      join taxonomies on taxonomies.id = term.taxonomy_id and taxonomies.slug = 'locations'
      where term.id in (${sql.join(ids)})
      union select term.id from taxonomy_terms as term join below on term.parent_id = below.id
    )
    select term.slug, term.former_slugs_json, former.slug as former_slug
    from below join taxonomy_terms as term on term.id = below.id
    left join former_names as former on former.term_id = term.id`.execute(db)
  const current = new Set(rows.map(({ slug }) => slug))
  const former = new Set(rows.flatMap(formerSlugsOf)).difference(current)
  const taken = await listTaken(db, [...former])
  return [...current, ...former.difference(taken)]
}

function formerSlugsOf({ former_slugs_json: json, former_slug: slug }: PlaceRow): string[] {
  return [...(json === null ? [] : slugsColumn.decode(json)), ...(slug === null ? [] : [slug])]
}

async function listTaken(db: Db, slugs: readonly string[]): Promise<Set<string>> {
  if (slugs.length === 0) return new Set()
  const rows = await db
    .selectFrom('taxonomy_terms')
    .innerJoin('taxonomies', 'taxonomies.id', 'taxonomy_terms.taxonomy_id')
    .select('taxonomy_terms.slug')
    .where('taxonomies.slug', '=', 'locations')
    .where('taxonomy_terms.slug', 'in', slugs)
    .execute()
  return new Set(rows.map(({ slug }) => slug))
}
