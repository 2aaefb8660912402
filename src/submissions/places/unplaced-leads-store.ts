import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'

/** A lead whose place and service are known only by slug. */
export interface UnplacedLead {
  id: number
  submittedAt: string
  serviceSlug: string | null
  serviceName: string | null
  locationSlug: string | null
  locationName: string | null
}

// The condition of the index `form_submissions_unplaced`.
const IS_UNPLACED = sql<boolean>`location_id is null and service_id is null
  and coalesce(location_slug, service_slug) is not null`

/** Lists the newest leads without IDs. */
export async function listUnplacedLeads(db: Db, { limit }: { limit: number }): Promise<UnplacedLead[]> {
  return db
    .selectFrom('form_submissions')
    .select(['id', 'submitted_at as submittedAt'])
    .select(['service_slug as serviceSlug', 'service_name as serviceName'])
    .select(['location_slug as locationSlug', 'location_name as locationName'])
    .where(IS_UNPLACED)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Place and service of a lead: null for none, 0 if they can no longer be determined. */
export interface Placing {
  locationId: number | null
  serviceId: number | null
}

/** Stores the IDs of leads, unless another process was faster. */
export async function placeLeads(
  db: Db,
  ids: readonly number[],
  { locationId, serviceId }: Placing,
): Promise<void> {
  for (const chunk of chunksOf(ids)) {
    await db
      .updateTable('form_submissions')
      .set({ location_id: locationId, service_id: serviceId })
      .where('id', 'in', chunk)
      .where(IS_UNPLACED)
      .execute()
  }
}
