import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { isScheduledOff, isShownAt } from '../entry-schedule-store.ts'

/** Service entry ID → the location term IDs where the site shows the service at a time; of all services, or of these. */
export async function listPlacesOfServices(
  db: Db,
  shownAt: Date,
  serviceIds?: readonly number[],
): Promise<Map<number, Set<number>>> {
  const places = new Map<number, Set<number>>()
  for (const { service_entry_id: serviceId, location_ids } of await listPublishedPairs(db, serviceIds)) {
    const ids = location_ids.split(',').map(Number)
    places.set(serviceId ?? 0, new Set(ids.sort((one, other) => one - other)))
  }
  for (const { service_entry_id: serviceId, location_term_id: locationId } of await listPairsOff(db, shownAt))
    places.get(serviceId ?? 0)?.delete(locationId ?? 0)
  return places
}

// One long row per service, from a single index (migration 0025): 100,000 pairs take a twentieth of the time that
// one row each takes.
function listPublishedPairs(db: Db, serviceIds?: readonly number[]) {
  return db
    .selectFrom('content_entries')
    .select('service_entry_id')
    .select(sql<string>`string_agg(cast(location_term_id as text), ',')`.as('location_ids'))
    .where('service_entry_id', 'is not', null)
    .$if(serviceIds !== undefined, (row) => row.where('service_entry_id', 'in', serviceIds ?? []))
    .where('location_term_id', 'is not', null)
    .where('status', '=', 'published')
    .groupBy('service_entry_id')
    .orderBy('service_entry_id')
    .execute()
}

// Few have a schedule, and these have their own indexes.
function listPairsOff(db: Db, shownAt: Date) {
  return db
    .selectFrom('content_entries')
    .select(['service_entry_id', 'location_term_id'])
    .where('service_entry_id', 'is not', null)
    .where((row) => isScheduledOff(row, shownAt))
    .execute()
}

/**
 * Returns the pairs of some services and those in some places, like `listPlacesOfServices`: the pairs that the pages
 * of these link to.
 */
export async function listPlacesNear(
  db: Db,
  { serviceIds, locationIds }: { serviceIds: readonly number[]; locationIds: readonly number[] },
  shownAt: Date,
): Promise<Map<number, Set<number>>> {
  const places = serviceIds.length > 0 ? await listPlacesOfServices(db, shownAt, serviceIds) : new Map()
  const rows = await listPairsOf(db, 'location_term_id', locationIds, shownAt)
  for (const { service_entry_id: serviceId, location_term_id: locationId } of rows)
    if (serviceId !== null && locationId !== null)
      places.set(serviceId, (places.get(serviceId) ?? new Set()).add(locationId))
  return places
}

/** Returns the IDs of the location services that the site shows in these places at a time. */
export async function listEntryIdsAt(
  db: Db,
  locationIds: readonly number[],
  shownAt: Date,
): Promise<number[]> {
  return (await listPairsOf(db, 'location_term_id', locationIds, shownAt)).map(({ id }) => id)
}

/** Returns the IDs of the location services of these services that the site shows at a time. */
export async function listEntryIdsOf(
  db: Db,
  serviceIds: readonly number[],
  shownAt: Date,
): Promise<number[]> {
  return (await listPairsOf(db, 'service_entry_id', serviceIds, shownAt)).map(({ id }) => id)
}

/** Returns the location services of these services that the site shows at a time. */
export async function listPairsOfServices(
  db: Db,
  serviceIds: readonly number[],
  shownAt: Date,
): Promise<{ id: number; serviceId: number; locationId: number }[]> {
  const rows = await listPairsOf(db, 'service_entry_id', serviceIds, shownAt)
  return rows.map((row) => ({
    ...{ id: row.id, serviceId: row.service_entry_id ?? 0, locationId: row.location_term_id ?? 0 },
  }))
}

/** Returns the IDs of the location services shown at a time that choose their testimonials themselves. */
export async function listEntryIdsWithTestimonials(db: Db, shownAt: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('content_entries')
    .select('id')
    .where('service_entry_id', 'is not', null)
    .where('is_generated', '=', 0)
    .where('data_json', 'like', '%"local_testimonials"%')
    .where((row) => isShownAt(row, shownAt))
    .execute()
  return rows.map(({ id }) => id)
}

// Each column has an index, but PostgreSQL uses neither for a combined condition.
async function listPairsOf(
  db: Db,
  column: 'service_entry_id' | 'location_term_id',
  ids: readonly number[],
  shownAt: Date,
) {
  if (ids.length === 0) return []
  return db
    .selectFrom('content_entries')
    .select(['id', 'service_entry_id', 'location_term_id'])
    .where(column, 'in', ids)
    .where((row) => isShownAt(row, shownAt))
    .execute()
}
