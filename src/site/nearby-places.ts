import type { Entry } from '../entries/entry-store.ts'
import type { TermNode } from '../taxonomies/term-tree.ts'
import { type Addresses, placePath } from './page-addresses.ts'
import type { PageLink } from './page-link.ts'

const SHOWN_SIBLINGS = 8

export interface NearbyPlaces {
  /** The place around it. */
  parent: PageLink | null
  /** The places in it. */
  within: PageLink[]
  /** Places beside it: those that follow in the tree, from its end on again from the start. */
  beside: PageLink[]
}

/** Where else the service has a page, around a place. */
export function nearbyPlaces(content: Addresses, service: Entry, place: TermNode): NearbyPlaces {
  const link = (term: TermNode) => linkTo(content, service, term)
  return {
    parent: (place.parent && link(place.parent)) ?? null,
    within: place.children.flatMap((child) => link(child) ?? []),
    beside: firstLinks(siblingsAfter(place), link),
  }
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
