import type { Entry } from '../../entries/entry-store.ts'
import { composeRoute, matchRoute } from '../../entries/types/route-pattern.ts'
import type { TermNode } from '../../taxonomies/term-tree.ts'

/**
 * Lists a location service's former addresses according to its files (contract §4): every pair of a current or
 * former slug of the service and of the place, except the current pair. The database history knows more, but a site
 * built only from files has nothing else.
 */
export function formerPlacePaths(
  { service, place }: { service: Entry; place: TermNode },
  patterns: { service: string | null | undefined; place: string | null | undefined },
): string[] {
  const services = [service.slug, ...formerSlugs(service, patterns.service)]
  const places = [place.slug, ...place.formerSlugs]
  if (services.length + places.length === 2 || !patterns.place) return []
  const pattern = patterns.place
  const pairs = services.flatMap((serviceSlug) => places.map((placeSlug) => `${serviceSlug}/${placeSlug}`))
  return pairs.slice(1).flatMap((slug) => composeRoute(pattern, slug) ?? [])
}

/** Returns the slugs from those addresses that the type's route pattern could have made. */
export function formerSlugs(
  entry: Pick<Entry, 'redirectFrom'>,
  pattern: string | null | undefined,
): string[] {
  return pattern ? entry.redirectFrom.flatMap((path) => matchRoute(pattern, path) ?? []) : []
}
