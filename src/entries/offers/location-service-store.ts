import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import type { EntryStatus } from '../entry-store.ts'

/** The places of one service in one state. */
export interface OfferGroup {
  serviceId: number
  status: EntryStatus
  isGenerated: boolean
  locationIds: number[]
}

/** A location service without its texts. */
export interface Offer {
  id: number
  serviceId: number
  locationId: number
  slug: string
  status: EntryStatus
  isGenerated: boolean
}

/**
 * Lists the places of these services in a few long rows: 20,000 pairs come from a single index (migration 0025) in
 * about 6 ms. One row per pair would take five times as long.
 */
export async function listOfferGroups(db: Db, serviceIds: readonly number[]): Promise<OfferGroup[]> {
  if (serviceIds.length === 0) return []
  const rows = await db
    .selectFrom('content_entries')
    .select(['service_entry_id', 'status', 'is_generated'])
    .select(sql<string>`string_agg(cast(location_term_id as text), ',')`.as('location_ids'))
    .where('service_entry_id', 'in', serviceIds)
    .groupBy(['service_entry_id', 'is_generated', 'status'])
    .execute()
  return rows.map((row) => ({
    serviceId: row.service_entry_id ?? 0,
    status: row.status,
    isGenerated: row.is_generated === 1,
    locationIds: (row.location_ids ?? '').split(',').map(Number),
  }))
}

/** Counts each kind of location service, using a single index (migration 0037). */
export async function countOffers(
  db: Db,
): Promise<{ status: EntryStatus; isGenerated: boolean; count: number }[]> {
  const rows = await db
    .selectFrom('content_entries')
    .select(['status', 'is_generated', ({ fn }) => fn.countAll<number>().as('count')])
    .where('type_id', '=', (eb) =>
      eb.selectFrom('content_types').select('id').where('slug', '=', 'location_services'),
    )
    .groupBy(['is_generated', 'status'])
    .execute()
  return rows.map(({ status, is_generated, count }) => ({
    status,
    isGenerated: is_generated === 1,
    count: Number(count),
  }))
}

/** Lists the location services of one service, in slug order. */
export async function listOffersOfService(db: Db, serviceId: number): Promise<Offer[]> {
  const rows = await offers(db).where('service_entry_id', '=', serviceId).orderBy('slug').execute()
  return rows.map(toOffer)
}

/** The text and fields of a location service; both are empty for a generated one. */
export interface OfferContent {
  serviceId: number
  body: string
  data: Readonly<Record<string, unknown>>
}

/** Lists the contents of the published location services of these services; other entries have none. */
export async function listPublishedContents(db: Db, serviceIds: readonly number[]): Promise<OfferContent[]> {
  if (serviceIds.length === 0) return []
  const own = (column: 'body' | 'data_json', empty: string) =>
    sql<string>`case when is_generated = 1 then ${sql.lit(empty)} else ${sql.ref(column)} end`
  const rows = await db
    .selectFrom('content_entries')
    .select(({ ref }) => ref('service_entry_id').$notNull().as('serviceId'))
    .select([own('body', '').as('body'), own('data_json', '{}').as('data')])
    .where('service_entry_id', 'in', serviceIds)
    .where('status', '=', 'published')
    .execute()
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) }))
}

/** Returns the slugs of those that are published. */
export function publishedSlugs(offers: readonly Offer[]): string[] {
  return offers.flatMap(({ status, slug }) => (status === 'published' ? [slug] : []))
}

/** Lists the location services of these services in these places. */
export async function listOffersIn(
  db: Db,
  { serviceIds, locationIds }: { serviceIds: readonly number[]; locationIds: readonly number[] },
): Promise<Offer[]> {
  if (serviceIds.length === 0 || locationIds.length === 0) return []
  const rows = await offers(db)
    .where('location_term_id', 'in', locationIds)
    .where('service_entry_id', 'in', serviceIds)
    .execute()
  return rows.map(toOffer)
}

/** Lists the location services in these places, of any service, in slug order. */
export async function listOffersAt(db: Db, locationIds: readonly number[]): Promise<Offer[]> {
  const found: Offer[] = []
  for (const chunk of chunksOf(locationIds)) {
    const rows = await offers(db).where('location_term_id', 'in', chunk).orderBy('slug').execute()
    found.push(...rows.map(toOffer))
  }
  return found
}

/**
 * Updates the slugs of a service's or place's location services to the current slugs of both (§2.9 rule 3). Those that
 * have them stay untouched: an entry with a new time counts as edited.
 */
export async function alignLocationServiceSlugs(
  db: Db,
  of: { serviceId: number } | { locationId: number },
  { now }: { now: string },
): Promise<void> {
  const column = 'serviceId' in of ? 'service_entry_id' : 'location_term_id'
  const id = 'serviceId' in of ? of.serviceId : of.locationId
  const slug = sql<string>`coalesce((select service.slug || '/' || term.slug
    from content_entries service, taxonomy_terms term
    where service.id = content_entries.service_entry_id and term.id = content_entries.location_term_id),
    content_entries.slug)`
  await db
    .updateTable('content_entries')
    .set({ slug, updated_at: now })
    .where(column, '=', id)
    .where('slug', '<>', slug)
    .execute()
}

function offers(db: Db) {
  return db
    .selectFrom('content_entries')
    .select(['id', 'slug', 'status', 'is_generated'])
    .select(({ ref }) => [
      ref('service_entry_id').$notNull().as('serviceId'),
      ref('location_term_id').$notNull().as('locationId'),
    ])
}

function toOffer({ is_generated, ...row }: Omit<Offer, 'isGenerated'> & { is_generated: 0 | 1 }): Offer {
  return { ...row, isGenerated: is_generated === 1 }
}
