import type { PlaceKind } from './place-kind.ts'
import type { TermNode } from './term-tree.ts'

/** Countries that are divided into states or provinces, by ISO 3166-1 code. */
const WITH_STATES = new Set('AR AT AU BR CA DE IN MX MY NG US VE ZA'.split(' '))

/** Travis County, Orleans Parish */
const COUNTY = /\s(County|Parish)$/i

/**
 * Returns a place's kind: its own, or the usual one below its parent. A tree without kinds is country, state, city,
 * area (§2.6); if the site's country has no states, the second level is counties. Its name can also say that a place
 * is a county.
 */
export function kindOfPlace({ kind, parent, name }: TermNode, siteCountry: string): PlaceKind {
  if (kind) return kind
  if (!parent) return 'country'
  switch (kindOfPlace(parent, siteCountry)) {
    case 'country':
      return WITH_STATES.has(siteCountry) && !COUNTY.test(name) ? 'state' : 'county'
    case 'region':
      return 'county'
    case 'state':
      return COUNTY.test(name) ? 'county' : 'city'
    case 'county':
      return 'city'
    default:
      return 'area'
  }
}

/** Returns the place itself or its nearest ancestor of this kind. */
export function nearestOfKind(place: TermNode, kind: PlaceKind, siteCountry: string): TermNode | undefined {
  for (let term: TermNode | null = place; term; term = term.parent)
    if (kindOfPlace(term, siteCountry) === kind) return term
  return undefined
}
