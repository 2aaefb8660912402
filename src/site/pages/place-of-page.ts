import type { Db } from '../../db/schema.ts'
import { findEntryById } from '../../entries/entry-lookup-store.ts'
import { findEntry } from '../../entries/entry-store.ts'
import { LOCATION_SERVICES, SERVICES } from '../../entries/types/builtin/slugs.ts'
import { findContentType } from '../../entries/types/content-type-store.ts'
import { matchRoute } from '../../entries/types/route-pattern.ts'
import { findTermLine } from '../../taxonomies/term-line-store.ts'
import { entryIdOfKey, placeOfKey } from './page-key.ts'
import { findPublishedKey } from './published-key-store.ts'

/** The service and place of a page, as stored with submissions and sent in webhooks (contract §6 `meta`). */
export interface PlaceOfPage {
  /** Null if the service was deleted. */
  serviceSlug: string | null
  serviceName: string | null
  serviceId: number | null
  locationSlug: string | null
  locationName: string | null
  /** The location's slugs from the root, joined by `/`. */
  locationPath: string | null
  locationId: number | null
}

interface Service {
  id: number | null
  slug: string
  title: string | null
}

/**
 * Returns the service and place of a public page; undefined for pages about neither and for unknown addresses. A
 * published page keeps its subject, whatever has happened to its slugs and entry since.
 */
export async function findPlaceOfPage(db: Db, spelled: string): Promise<PlaceOfPage | undefined> {
  // A custom form sends the address that its browser shows, to which some hosts add a trailing slash or `.html`.
  const path = spelled.replace(/\/$|\.html$/, '')
  const page = (await findPublished(db, path)) ?? (await findPlaceAt(db, path))
  return page ?? (await findServiceAt(db, path)) ?? (await findPublishedRest(db, path))
}

async function findPublished(db: Db, path: string): Promise<PlaceOfPage | undefined> {
  const key = (await findPublishedKey(db, path)) ?? ''
  const pair = placeOfKey(key)
  const service = await findService(db, pair?.serviceId ?? entryIdOfKey(key))
  if (!service) return undefined
  return pair ? describePlace(db, service, pair.locationId) : describeService(service)
}

// The service or place was deleted. The person responsible for the other should still see the lead.
async function findPublishedRest(db: Db, path: string): Promise<PlaceOfPage | undefined> {
  const pair = placeOfKey((await findPublishedKey(db, path)) ?? '')
  if (!pair) return undefined
  const service = await findService(db, pair.serviceId)
  return service ? describeService(service) : describePlace(db, null, pair.locationId)
}

async function findService(db: Db, id: number | undefined) {
  const entry = id === undefined ? undefined : await findEntryById(db, id)
  return entry?.typeId === (await findContentType(db, SERVICES))?.id ? entry : undefined
}

async function findPlaceAt(db: Db, path: string): Promise<PlaceOfPage | undefined> {
  const entry = await findEntryAt(db, LOCATION_SERVICES, path)
  const [slug] = entry?.slug.split('/') ?? []
  if (!entry || !slug) return undefined
  const type = await findContentType(db, SERVICES)
  const service = type && (await findEntry(db, type.id, slug))
  const { id = null, title = null } = service ?? {}
  return describePlace(db, { id, slug, title }, Number(entry.data.location_term_id))
}

async function findServiceAt(db: Db, path: string): Promise<PlaceOfPage | undefined> {
  const service = await findEntryAt(db, SERVICES, path)
  return service && describeService(service)
}

async function describePlace(
  db: Db,
  service: Service | null,
  locationId: number,
): Promise<PlaceOfPage | undefined> {
  const line = await findTermLine(db, locationId)
  const place = line.at(-1)
  if (!place) return undefined
  return {
    serviceSlug: service?.slug ?? null,
    serviceName: service?.title ?? null,
    serviceId: service?.id ?? null,
    locationSlug: place.slug,
    locationName: place.name,
    locationPath: line.map((term) => term.slug).join('/'),
    locationId,
  }
}

function describeService({ id, slug, title }: Service): PlaceOfPage {
  const nowhere = { locationSlug: null, locationName: null, locationPath: null, locationId: null }
  return { serviceSlug: slug, serviceName: title, serviceId: id, ...nowhere }
}

async function findEntryAt(db: Db, typeSlug: string, path: string) {
  const type = await findContentType(db, typeSlug)
  const slug = type?.routePattern ? matchRoute(type.routePattern, path) : undefined
  const entry = type && slug !== undefined ? await findEntry(db, type.id, slug) : undefined
  return entry?.status === 'published' ? entry : undefined
}
