import type { Entry } from '../../entries/entry-store.ts'
import { composeRoute, matchRoute } from '../../entries/types/route-pattern.ts'
import type { TermNode } from '../../taxonomies/term-tree.ts'

/**
 * Addresses that files say a service in a place had before (contract §4): every pair of a present or former slug of
 * the service and one of the place, but for the present pair. The history of a database knows more; a site that is
 * built from files alone has nothing else.
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

/** The slugs among the addresses that lead to an entry: those that its type's route pattern would make. */
export function formerSlugs(
  entry: Pick<Entry, 'redirectFrom'>,
  pattern: string | null | undefined,
): string[] {
  return pattern ? entry.redirectFrom.flatMap((path) => matchRoute(pattern, path) ?? []) : []
}
