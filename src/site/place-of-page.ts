import type { Db } from '../db/schema.ts'
import { findContentType } from '../entries/content-type-store.ts'
import { findEntry } from '../entries/entry-store.ts'
import { matchRoute } from '../entries/route-pattern.ts'
import { findTermLine } from '../taxonomies/term-line-store.ts'

/** Which service and place a page is about, as submissions and webhooks name it (contract §6 `meta`). */
export interface PlaceOfPage {
  serviceSlug: string
  locationSlug: string | null
  locationName: string | null
  /** The location's slugs from the root, joined by `/`. */
  locationPath: string | null
}

/** The service and place of a public page; undefined for pages about neither and for addresses that do not exist. */
export async function findPlaceOfPage(db: Db, path: string): Promise<PlaceOfPage | undefined> {
  return (await findPlace(db, path)) ?? (await findService(db, path))
}

async function findPlace(db: Db, path: string): Promise<PlaceOfPage | undefined> {
  const entry = await findEntryAt(db, 'location_services', path)
  if (!entry) return undefined
  const line = await findTermLine(db, Number(entry.data.location_term_id))
  const place = line.at(-1)
  const [serviceSlug] = entry.slug.split('/')
  if (!place || !serviceSlug) return undefined
  return {
    serviceSlug,
    locationSlug: place.slug,
    locationName: place.name,
    locationPath: line.map((term) => term.slug).join('/'),
  }
}

async function findService(db: Db, path: string): Promise<PlaceOfPage | undefined> {
  const service = await findEntryAt(db, 'services', path)
  if (!service) return undefined
  return { serviceSlug: service.slug, locationSlug: null, locationName: null, locationPath: null }
}

async function findEntryAt(db: Db, typeSlug: string, path: string) {
  const type = await findContentType(db, typeSlug)
  const slug = type?.routePattern ? matchRoute(type.routePattern, path) : undefined
  const entry = type && slug !== undefined ? await findEntry(db, type.id, slug) : undefined
  return entry?.status === 'published' ? entry : undefined
}
