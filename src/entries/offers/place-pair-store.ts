import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { isScheduledOff, isShownAt } from '../entry-schedule-store.ts'

/** Service entry id → the location term ids where the site shows the service at a moment. */
export async function listPlacesOfServices(db: Db, shownAt: Date): Promise<Map<number, Set<number>>> {
  const places = new Map<number, Set<number>>()
  for (const { service_entry_id: serviceId, location_ids } of await listPublishedPairs(db)) {
    const ids = location_ids.split(',').map(Number)
    places.set(serviceId ?? 0, new Set(ids.sort((one, other) => one - other)))
  }
  for (const { service_entry_id: serviceId, location_term_id: locationId } of await listPairsOff(db, shownAt))
    places.get(serviceId ?? 0)?.delete(locationId ?? 0)
  return places
}

// One long row for each service, out of an index alone (migration 0025): 100,000 pairs come in a twentieth of the time
// that a row for each takes.
function listPublishedPairs(db: Db) {
  return db
    .selectFrom('content_entries')
    .select('service_entry_id')
    .select(sql<string>`string_agg(cast(location_term_id as text), ',')`.as('location_ids'))
    .where('service_entry_id', 'is not', null)
    .where('location_term_id', 'is not', null)
    .where('status', '=', 'published')
    .groupBy('service_entry_id')
    .orderBy('service_entry_id')
    .execute()
}

// Few have a schedule, and those have indexes of their own.
function listPairsOff(db: Db, shownAt: Date) {
  return db
    .selectFrom('content_entries')
    .select(['service_entry_id', 'location_term_id'])
    .where('service_entry_id', 'is not', null)
    .where((row) => isScheduledOff(row, shownAt))
    .execute()
}

/** Those of one service and those in one place: what the pages of that pair link to. */
export async function listPlacePairsNear(
  db: Db,
  { serviceId, locationId }: { serviceId: number; locationId: number },
  shownAt: Date,
): Promise<{ serviceId: number; locationId: number }[]> {
  const rows = await db
    .selectFrom('content_entries')
    .select(['service_entry_id', 'location_term_id'])
    .where(({ eb, or }) =>
      or([eb('service_entry_id', '=', serviceId), eb('location_term_id', '=', locationId)]),
    )
    .where((row) => isShownAt(row, shownAt))
    .execute()
  return rows.flatMap(({ service_entry_id, location_term_id }) =>
    service_entry_id === null || location_term_id === null
      ? []
      : [{ serviceId: service_entry_id, locationId: location_term_id }],
  )
}
