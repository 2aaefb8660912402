import type { Entry } from '../../entries/entry-store.ts'
import { placePath } from '../pages/page-addresses.ts'
import {
  type AreaPlan,
  areaPath,
  isTooLong,
  listedBelow,
  MOST_PLACES_OF_SERVICE,
  partsOf,
} from './area-plan.ts'
import type { Places } from './areas.ts'
import { growPlaces, type PlaceNode, totalOf } from './place-nodes.ts'

/** Places of several levels in one list. */
const SHOWN_PLACES = 150

/** A term with a page, or with descendants that have one. */
export interface PlaceBranch {
  name: string
  path: string | null
  /** The number of places inside this one, at all levels, including those that `places` leaves out. */
  count: number
  places: PlaceBranch[]
}

/** Links to the pages that list these places, with as many levels below as fit. */
export function areaBranches(nodes: readonly PlaceNode[]): PlaceBranch[] {
  return isTooLong(nodes) ? partBranches(nodes) : topBranches(nodes, areaPath, listedBelow)
}

/**
 * The places of a service, each linked to its page there. For a service in very many places, only the upper levels;
 * the rest are linked from the page of the place above them or from the list of all places.
 */
export function serviceBranches(content: Places & { areas: AreaPlan }, service: Entry): PlaceBranch[] {
  const { areas } = content
  const nodes = growPlaces(content, [service.id])
  const pageOf = ({ term }: PlaceNode) => placePath(content, service, term) ?? null
  if (totalOf(nodes, 'places') <= MOST_PLACES_OF_SERVICE) return allBranches(nodes, pageOf)
  if (isTooLong(nodes)) return areaBranches(areas.roots)
  const pathOf = (node: PlaceNode) => pageOf(node) ?? areas.paths.get(node.term.id) ?? null
  return topBranches(nodes, pathOf, ({ below }) => below)
}

type PathOf = (node: PlaceNode) => string | null
type ChildrenOf = (node: PlaceNode) => readonly PlaceNode[]

function allBranches(nodes: readonly PlaceNode[], pathOf: PathOf): PlaceBranch[] {
  return nodes.map((node) => toBranch(node, pathOf(node), allBranches(node.below, pathOf)))
}

// As many levels as fit the limit, but at least one.
function topBranches(nodes: readonly PlaceNode[], pathOf: PathOf, childrenOf: ChildrenOf): PlaceBranch[] {
  const children = nodes.flatMap(childrenOf)
  const levels = [nodes.length]
  for (let next = children; next.length > 0; next = next.flatMap(childrenOf))
    levels.push((levels.at(-1) ?? 0) + next.length)
  const depth = Math.max(1, levels.findLastIndex((shown) => shown <= SHOWN_PLACES) + 1)
  const cut = (level: readonly PlaceNode[], left: number): PlaceBranch[] =>
    level.map((node) => toBranch(node, pathOf(node), left > 1 ? cut(childrenOf(node), left - 1) : []))
  return cut(nodes, depth)
}

function partBranches(nodes: readonly PlaceNode[]): PlaceBranch[] {
  return partsOf(nodes).map(({ path, nodes: part }) => ({
    name: nameOfPart(part),
    path,
    places: [],
    count: totalOf(part, 'places'),
  }))
}

/** "Aachen to Berlin" */
export function nameOfPart(nodes: readonly PlaceNode[]): string {
  return `${nodes[0]?.term.name} to ${nodes.at(-1)?.term.name}`
}

function toBranch(node: PlaceNode, path: string | null, places: PlaceBranch[]): PlaceBranch {
  return { name: node.term.name, path, count: node.places - Math.min(node.services, 1), places }
}
