import type { Entry } from '../../entries/entry-store.ts'
import { LOCATION_SERVICES, SERVICES } from '../../entries/types/builtin/slugs.ts'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import { compileRoute, composeRoute } from '../../entries/types/route-pattern.ts'
import type { TermNode } from '../../taxonomies/term-tree.ts'

/** The content that determines the addresses of services and places. */
export interface Addresses {
  types: Map<string, ContentType>
  /** Service entry ID → the location term IDs for which it has a page. */
  places: Map<number, Set<number>>
}

/** Returns the address of a service's page. Undefined if services aren't routable. */
export function servicePath(content: Addresses, service: Entry): string | undefined {
  const pattern = content.types.get(SERVICES)?.routePattern
  return pattern ? composeRoute(pattern, service.slug) : undefined
}

/** Returns the address of a service in a place; undefined if that page doesn't exist. */
export function placePath(content: Addresses, service: Entry, place: TermNode): string | undefined {
  if (!content.places.get(service.id)?.has(place.id)) return undefined
  const pattern = content.types.get(LOCATION_SERVICES)?.routePattern
  return pattern ? compileRoute(pattern)([service.slug, place.slug]) : undefined
}
