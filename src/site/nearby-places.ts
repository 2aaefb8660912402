import type { Entry } from '../entries/entry-store.ts'
import type { TermNode } from '../taxonomies/term-tree.ts'
import type { AreaPlan } from './areas/area-plan.ts'
import { type Addresses, placePath } from './page-addresses.ts'
import type { PageLink } from './page-link.ts'

const SHOWN_SIBLINGS = 8
// The others are on the page that lists the places.
const SHOWN_WITHIN = 150

export interface NearbyPlaces {
  /** The place around it. */
  parent: PageLink | null
  /** The places in it; of very many the first ones, and then the page that lists them. */
  within: PageLink[]
  /** Places beside it: those that follow in the tree, from its end on again from the start. */
  beside: PageLink[]
}

type Listed = Addresses & { areas: Pick<AreaPlan, 'paths'> }

/** Where else the service has a page, around a place. */
export function nearbyPlaces(content: Listed, service: Entry, place: TermNode): NearbyPlaces {
  const link = (term: TermNode) => linkTo(content, service, term)
  return {
    parent: (place.parent && link(place.parent)) ?? null,
    within: firstWithin(
      content,
      place,
      place.children.flatMap((child) => link(child) ?? []),
    ),
    beside: firstLinks(siblingsAfter(place), link),
  }
}

function firstWithin({ areas }: Listed, { id, name }: TermNode, links: PageLink[]): PageLink[] {
  const path = areas.paths.get(id)
  if (links.length <= SHOWN_WITHIN || path === undefined) return links
  return [...links.slice(0, SHOWN_WITHIN), { name: `All places in ${name}`, path }]
}

// Every place links to others than its neighbors do, and a page of a thousand siblings looks at a few of them.
function* siblingsAfter(place: TermNode): Generator<TermNode> {
  const siblings = place.parent?.children ?? []
  const at = siblings.indexOf(place)
  for (let step = 1; step < siblings.length; step++) {
    const sibling = siblings[(at + step) % siblings.length]
    if (sibling) yield sibling
  }
}

function firstLinks(terms: Iterable<TermNode>, link: (term: TermNode) => PageLink | undefined): PageLink[] {
  const links: PageLink[] = []
  for (const term of terms) {
    const found = link(term)
    if (found) links.push(found)
    if (links.length === SHOWN_SIBLINGS) break
  }
  return links
}

function linkTo(content: Addresses, service: Entry, term: TermNode): PageLink | undefined {
  const path = placePath(content, service, term)
  return path === undefined ? undefined : { name: term.name, path }
}
