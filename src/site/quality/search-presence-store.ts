import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

/** Number of location pages, and of those that search engines may list, as of the last publish. */
export interface SearchPresence {
  pages: number
  listed: number
}

/** Counts the location pages using a single index. */
export async function countPagesInSearch(db: Db): Promise<SearchPresence> {
  const rows = await db
    .selectFrom('page_quality')
    .select(['is_listed', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('is_listed')
    .execute()
  const countOf = (isListed: 0 | 1) =>
    Number(rows.find(({ is_listed }) => is_listed === isListed)?.count ?? 0)
  return { pages: countOf(0) + countOf(1), listed: countOf(1) }
}

/** Pages of one service kept out of search engines. */
export interface UnlistedGroup {
  serviceId: number
  /** True if they have no text of their own. */
  isGenerated: boolean
  locationIds: number[]
}

/**
 * Lists the published pages of these services that are missing from search, in a few long rows like
 * `listOfferGroups`.
 */
export async function listUnlistedGroups(db: Db, serviceIds: readonly number[]): Promise<UnlistedGroup[]> {
  if (serviceIds.length === 0) return []
  const rows = await unlisted(db)
    .select(['page.service_entry_id', 'page.is_generated'])
    .select(sql<string>`string_agg(cast(page.location_term_id as text), ',')`.as('location_ids'))
    .where('page.service_entry_id', 'in', serviceIds)
    .groupBy(['page.service_entry_id', 'page.is_generated'])
    .execute()
  return rows.map((row) => ({
    serviceId: row.service_entry_id ?? 0,
    isGenerated: row.is_generated === 1,
    locationIds: (row.location_ids ?? '').split(',').map(Number),
  }))
}

/** Counts the published pages missing from search, by whether they have text of their own. */
export async function countUnlisted(db: Db): Promise<{ isGenerated: boolean; count: number }[]> {
  const rows = await unlisted(db)
    .select(['page.is_generated', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('page.is_generated')
    .execute()
  return rows.map(({ is_generated, count }) => ({ isGenerated: is_generated === 1, count: Number(count) }))
}

// A page that became a draft after the last publish, or whose service did, still has a stored quality.
function unlisted(db: Db) {
  return db
    .selectFrom('content_entries as page')
    .innerJoin('page_quality', 'page_quality.entry_id', 'page.id')
    .where('page_quality.is_listed', '=', 0)
    .innerJoin('content_entries as service', 'service.id', 'page.service_entry_id')
    .where('page.status', '=', 'published')
    .where('service.status', '=', 'published')
}
