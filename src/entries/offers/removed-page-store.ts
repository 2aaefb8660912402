import type { Db } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'

/** A generated local page that was removed. */
export interface GeneratedPage {
  id: number
  serviceId: number
  locationId: number
}

/** Stores the IDs of generated local pages that are removed. */
export async function insertRemovedPages(db: Db, pages: readonly GeneratedPage[]): Promise<void> {
  for (const chunk of chunksOf(pages))
    await db
      .insertInto('removed_local_pages')
      .values(
        chunk.map(({ id, serviceId, locationId }) => ({
          ...{ service_entry_id: serviceId, location_term_id: locationId, entry_id: id },
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['service_entry_id', 'location_term_id'])
          .doUpdateSet(({ ref }) => ({ entry_id: ref('excluded.entry_id') })),
      )
      .execute()
}

/** Lists the removed local pages of these services, except those whose entries are there again. */
export async function listRemovedPages(db: Db, serviceIds: readonly number[]): Promise<GeneratedPage[]> {
  const pages: GeneratedPage[] = []
  for (const chunk of chunksOf(serviceIds)) {
    const rows = await db
      .selectFrom('removed_local_pages')
      .select(['entry_id as id', 'service_entry_id as serviceId', 'location_term_id as locationId'])
      .where('service_entry_id', 'in', chunk)
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('content_entries')
              .select('id')
              .whereRef('content_entries.id', '=', 'removed_local_pages.entry_id'),
          ),
        ),
      )
      .execute()
    pages.push(...rows)
  }
  return pages
}

/** Forgets the removed local pages of services and places that were deleted for good. */
export async function forgetRemovedPages(
  db: Db,
  { services, places }: { services: readonly number[]; places: readonly number[] },
): Promise<void> {
  for (const chunk of chunksOf(services))
    await db.deleteFrom('removed_local_pages').where('service_entry_id', 'in', chunk).execute()
  for (const chunk of chunksOf(places))
    await db.deleteFrom('removed_local_pages').where('location_term_id', 'in', chunk).execute()
}

/** Forgets removed local pages of a service that are there again. */
export async function deleteRemovedPages(db: Db, serviceId: number, ids: readonly number[]): Promise<void> {
  for (const chunk of chunksOf(ids))
    await db
      .deleteFrom('removed_local_pages')
      // The only column with an index.
      .where('service_entry_id', '=', serviceId)
      .where('entry_id', 'in', chunk)
      .execute()
}
