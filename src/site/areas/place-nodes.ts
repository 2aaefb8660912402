import type { TermNode } from '../../taxonomies/term-tree.ts'
import type { Places } from './areas.ts'

/** A place where a service has a page, in the place itself or below. */
export interface PlaceNode {
  term: TermNode
  /** Services with a page in the place itself. */
  services: number
  /** Number of pages in the place and below. */
  pages: number
  /** Number of places with a page, including this one and those below. */
  places: number
  below: PlaceNode[]
}

/** Returns the tree of places where these services have pages, leaving out all others. */
export function growPlaces(content: Places, serviceIds: Iterable<number>): PlaceNode[] {
  const services = countServices(content, serviceIds)
  const grow = (terms: readonly TermNode[]): PlaceNode[] =>
    terms.flatMap((term) => {
      const below = grow(term.children)
      const here = services.get(term.id) ?? 0
      const node = {
        term,
        below,
        services: here,
        pages: here + totalOf(below, 'pages'),
        places: Math.min(here, 1) + totalOf(below, 'places'),
      }
      return node.pages === 0 ? [] : [node]
    })
  return grow(content.locations.roots)
}

/** Counts the pages, or the places, of these nodes and all below them. */
export function totalOf(nodes: readonly PlaceNode[], what: 'pages' | 'places'): number {
  return nodes.reduce((sum, node) => sum + node[what], 0)
}

function countServices(content: Places, serviceIds: Iterable<number>): Map<number, number> {
  const counts = new Map<number, number>()
  for (const serviceId of serviceIds)
    for (const termId of content.places.get(serviceId) ?? [])
      counts.set(termId, (counts.get(termId) ?? 0) + 1)
  return counts
}
