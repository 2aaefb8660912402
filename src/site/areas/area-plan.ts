import { chunksOf } from '../../lib/in-parts.ts'
import { areaId, groupCities, type Places, type TermGroup } from './areas.ts'
import { growPlaces, type PlaceNode, totalOf } from './place-nodes.ts'

// Keeps every page with a list of places under 100 KB: each entry takes about 200 bytes.
/** Maximum number of places and service links on one page. Beyond that, places get their own pages. */
const MOST_ENTRIES = 360
/** Maximum number of places in one list of links. A longer list is split. */
const MOST_PLACES = 180
/** Maximum number of places that a service's page lists in full. */
export const MOST_PLACES_OF_SERVICE = 500

/** Layout of the list of places: all on `/services`, or on pages linked from it. */
export interface AreaPlan {
  /** The cities, if `/services` lists all of them with their services; undefined if it links to pages instead. */
  cities: TermGroup[] | undefined
  /** Every place that has pages. */
  roots: PlaceNode[]
  /** The pages that `/services` links to. */
  pages: AreaPage[]
  /** By term ID: the address of the list of the place's services. */
  paths: ReadonlyMap<number, string>
  /** Some places of each branch, for the footer. */
  some: { name: string; path: string }[]
}

/** A page that lists places. */
export type AreaPage =
  | { kind: 'place'; path: string; node: PlaceNode }
  | { kind: 'part'; path: string; nodes: PlaceNode[] }

/** Lays out the places with pages below `/services`, on as many pages as needed to keep each small. */
export function planAreas(content: Places): AreaPlan {
  const roots = growPlaces(content, content.services.keys())
  const groups = groupCities(content)
  const isLong =
    !fitsOnPage(roots) && (countEntries(content, groups) > MOST_ENTRIES || hasLongService(content))
  const cities = isLong ? undefined : groups
  const pages = isLong ? [...pagesBelow(roots)] : []
  const paths = new Map(isLong ? pathsBelow(roots, SERVICES) : pathsOfCities(groups))
  return { cities, roots, pages, paths, some: firstOfEach(groups, paths) }
}

const SERVICES = '/services'

function countEntries(content: Places, groups: readonly TermGroup[]): number {
  const ids = groups.flatMap(({ terms }) => terms.map(({ id }) => id))
  const services = [...content.services.keys()]
  return services.reduce((sum, id) => {
    const places = content.places.get(id)
    return sum + (places ? ids.filter((termId) => places.has(termId)).length : 0)
  }, ids.length)
}

function hasLongService({ services, places }: Places): boolean {
  return [...services.keys()].some((id) => (places.get(id)?.size ?? 0) > MOST_PLACES_OF_SERVICE)
}

/** Returns whether a page can list these places and all below them with their services. */
export function fitsOnPage(nodes: readonly PlaceNode[]): boolean {
  return totalOf(nodes, 'pages') + totalOf(nodes, 'places') <= MOST_ENTRIES
}

/** Returns whether a list of links to the pages of these places is split. */
export function isTooLong({ length }: readonly PlaceNode[]): boolean {
  return length > MOST_PLACES
}

/** Lists the places below one that have their own pages, if its page shows them as links. */
export function listedBelow({ below }: PlaceNode): readonly PlaceNode[] {
  return fitsOnPage(below) || isTooLong(below) ? [] : below
}

/** Returns the address of the page that lists a place's services. */
export function areaPath({ term }: PlaceNode): string {
  return `${SERVICES}/in/${term.slug}`
}

/** Splits a list that is too long for one page. */
export function partsOf(nodes: readonly PlaceNode[]): (AreaPage & { kind: 'part' })[] {
  return [...chunksOf(nodes, MOST_PLACES)].map((part) => {
    return { kind: 'part', path: `${SERVICES}/from/${part[0]?.term.slug}`, nodes: part }
  })
}

function* pagesBelow(nodes: readonly PlaceNode[]): Generator<AreaPage> {
  if (fitsOnPage(nodes)) return
  if (isTooLong(nodes)) {
    for (const part of partsOf(nodes)) {
      yield part
      yield* pagesBelow(part.nodes)
    }
    return
  }
  for (const node of nodes) {
    yield { kind: 'place', path: areaPath(node), node }
    yield* pagesBelow(node.below)
  }
}

// Like `pagesBelow`, but a place without its own page is found on the page of the list it is in.
function* pathsBelow(nodes: readonly PlaceNode[], page: string): Generator<[number, string]> {
  if (fitsOnPage(nodes)) yield* pathsOnPage(nodes, page)
  else if (isTooLong(nodes)) for (const part of partsOf(nodes)) yield* pathsBelow(part.nodes, part.path)
  else
    for (const node of nodes) {
      yield [node.term.id, areaPath(node)]
      yield* pathsBelow(node.below, areaPath(node))
    }
}

function* pathsOnPage(nodes: readonly PlaceNode[], page: string): Generator<[number, string]> {
  for (const { term, services, below } of nodes) {
    yield [term.id, services > 0 ? `${page}#${areaId(term)}` : page]
    yield* pathsOnPage(below, page)
  }
}

function* pathsOfCities(groups: readonly TermGroup[]): Generator<[number, string]> {
  for (const { terms } of groups) for (const term of terms) yield [term.id, `${SERVICES}#${areaId(term)}`]
}

const SHOWN_IN_FOOTER = 12

// Takes places from each branch in turn until the footer is full, so that changes in other branches don't affect
// them.
function firstOfEach(groups: readonly TermGroup[], paths: ReadonlyMap<number, string>): AreaPlan['some'] {
  const longest = Math.min(SHOWN_IN_FOOTER, Math.max(0, ...groups.map(({ terms }) => terms.length)))
  const inTurn = Array.from({ length: longest }, (_, index) =>
    groups.flatMap(({ terms }) => terms[index] ?? []),
  )
  return inTurn
    .flat()
    .slice(0, SHOWN_IN_FOOTER)
    .map(({ id, name }) => ({ name, path: paths.get(id) ?? `${SERVICES}#places` }))
}
