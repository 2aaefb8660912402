import type { Entry } from '../../entries/entry-store.ts'
import { localeOf } from '../../lib/locale/locale.ts'
import { kindOfPlace } from '../../taxonomies/kind-of-place.ts'
import { ancestorsOf, type TermNode, type TermTree } from '../../taxonomies/term-tree.ts'
import type { ServiceLink } from '../pages/layout-view.ts'
import { type Addresses, placePath } from '../pages/page-addresses.ts'
import { textOf } from '../pages/text-of.ts'
import type { SiteSettings } from '../settings/site-settings.ts'

/** The content needed for lists of places. */
export interface Places extends Addresses {
  services: Map<number, Entry>
  locations: TermTree
  settings: Pick<SiteSettings, 'country'>
}

/** A place with the services offered there. */
export interface Area {
  name: string
  /** Its HTML ID in a list. */
  id: string
  services: ServiceLink[]
}

/** The places below one term. */
export interface AreaGroup {
  name: string | null
  areas: Area[]
}

/** The places below one term, without their services. */
export interface TermGroup {
  parent: TermNode | null
  terms: TermNode[]
}

/**
 * The cities with pages (§2.6), or else the lowest places with pages, grouped by parent term, in tree order. Then other
 * places with pages that are neither in nor above a listed city, such as a neighborhood of a city without pages.
 */
export function groupCities(content: Places): TermGroup[] {
  const { country } = localeOf(content.settings)
  const levels = levelsWithPages(content, content.locations.roots)
  const cities = levels.flat().filter((term) => kindOfPlace(term, country) === 'city')
  const listed =
    cities.length > 0 ? [...cities, ...placesApart(levels.flat(), cities)] : (levels.at(-1) ?? [])
  return [...Map.groupBy(listed, ({ parent }) => parent)].map(([parent, terms]) => ({ parent, terms }))
}

// From the top down, so that a place is listed rather than those in it.
function placesApart(terms: readonly TermNode[], cities: readonly TermNode[]): TermNode[] {
  const listed = new Set(cities)
  const above = new Set(cities.flatMap(ancestorsOf))
  return terms.filter((term) => {
    if (listed.has(term) || above.has(term) || ancestorsOf(term).some((one) => listed.has(one))) return false
    listed.add(term)
    return true
  })
}

// Terms by depth, down to the last level with pages.
function levelsWithPages(content: Places, terms: readonly TermNode[]): TermNode[][] {
  if (terms.length === 0) return []
  const children = terms.flatMap((term) => term.children)
  const below = levelsWithPages(content, children)
  const here = terms.filter((term) => hasPages(content, term))
  return here.length + below.length === 0 ? [] : [here, ...below]
}

/** A place in a list, with its services. */
export function toArea(content: Places, place: TermNode): Area {
  return { name: place.name, id: areaId(place), services: servicesIn(content, place) }
}

/** Returns the HTML ID of a place in a list. */
export function areaId({ slug }: Pick<TermNode, 'slug'>): string {
  return `in-${slug}`
}

/** Lists the services with a page in this place. */
export function servicesIn(content: Places, place: TermNode): ServiceLink[] {
  return [...content.services.values()].flatMap((service) => {
    const path = placePath(content, service, place)
    return path === undefined ? [] : [{ name: service.title, path, icon: textOf(service.data.icon) }]
  })
}

function hasPages(content: Places, { id }: TermNode): boolean {
  return [...content.places].some(([serviceId, places]) => content.services.has(serviceId) && places.has(id))
}
