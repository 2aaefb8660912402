import { kindOfPlace } from '../../taxonomies/kind-of-place.ts'
import type { PlaceKind } from '../../taxonomies/place-kind.ts'
import type { TermNode } from '../../taxonomies/term-tree.ts'

const LABELS: Record<PlaceKind, string> = {
  country: 'Country',
  state: 'State or province',
  region: 'Region',
  county: 'County or district',
  city: 'City, town, or village',
  area: 'Neighborhood or area',
}

/** The choices for what a place is; the first leaves it to the place's depth in the tree. */
export function placeKindOptions(term: TermNode, siteCountry: string): { value: string; label: string }[] {
  const usual = LABELS[kindOfPlace({ ...term, kind: null }, siteCountry)]
  const kinds = Object.entries(LABELS).map(([value, label]) => ({ value, label }))
  return [{ value: '', label: `Automatic (${usual})` }, ...kinds]
}
