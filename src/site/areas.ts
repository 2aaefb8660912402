import type { Entry } from '../entries/entry-store.ts'
import type { TermNode, TermTree } from '../taxonomies/term-tree.ts'
import type { ServiceLink } from './layout-view.ts'
import { type Addresses, placePath } from './page-addresses.ts'
import type { PageLink } from './page-link.ts'
import { textOf } from './text-of.ts'

// The cities of country, state, city, area (§2.6); in a tree that is less deep, its last level.
const AREA_LEVEL = 2
const SHOWN_IN_FOOTER = 12

/** A place with what the business offers there. */
export interface Area {
  name: string
  /** Of its entry in the list on `/services`. */
  id: string
  services: ServiceLink[]
}

/** The places below one term. */
export interface AreaGroup {
  name: string | null
  areas: Area[]
}

interface Places extends Addresses {
  services: Map<number, Entry>
  locations: TermTree
}

/** The places at the level of cities that have pages, by the term above them, in the order of the tree. */
export function listAreas(content: Places): AreaGroup[] {
  const levels = levelsWithPages(content, content.locations.roots)
  const groups = Map.groupBy(levels[Math.min(AREA_LEVEL, levels.length - 1)] ?? [], ({ parent }) => parent)
  return [...groups].map(([parent, places]) => ({
    name: parent?.name ?? null,
    areas: places.map((place) => ({
      name: place.name,
      id: `in-${place.slug}`,
      services: servicesIn(content, place),
    })),
  }))
}

// Terms by their depth, as far down as there are pages.
function levelsWithPages(content: Places, terms: readonly TermNode[]): TermNode[][] {
  if (terms.length === 0) return []
  const below = levelsWithPages(
    content,
    terms.flatMap(({ children }) => children),
  )
  const here = terms.filter((term) => hasPages(content, term))
  return here.length + below.length === 0 ? [] : [here, ...below]
}

/** Where the list on `/services` has this area. */
export function areaLink({ name, id }: Area): PageLink {
  return { name, path: `/services#${id}` }
}

/** The first ones of each group in turn, as many as a footer holds: what changes elsewhere leaves them as they are. */
export function firstAreas(groups: readonly AreaGroup[]): PageLink[] {
  const longest = Math.max(0, ...groups.map(({ areas }) => areas.length))
  const inTurn = Array.from({ length: longest }, (_, index) =>
    groups.flatMap(({ areas }) => areas[index] ?? []),
  )
  return inTurn.flat().slice(0, SHOWN_IN_FOOTER).map(areaLink)
}

/** The services that have a page in this place. */
export function servicesIn(content: Places, place: TermNode): ServiceLink[] {
  return [...content.services.values()].flatMap((service) => {
    const path = placePath(content, service, place)
    return path === undefined ? [] : [{ name: service.title, path, icon: textOf(service.data.icon) }]
  })
}

function hasPages(content: Places, { id }: TermNode): boolean {
  return [...content.places].some(([serviceId, places]) => content.services.has(serviceId) && places.has(id))
}
