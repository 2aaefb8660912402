import type { Entry } from '../../entries/entry-store.ts'
import { onceFor } from '../../lib/once-for.ts'
import { ancestorsOf, type TermNode, type TermTree } from '../../taxonomies/term-tree.ts'
import { type Addresses, placePath } from '../pages/page-addresses.ts'
import type { PageLink } from '../pages/page-link.ts'

const SHOWN_PLACES = 8
const NAMED_BRANCHES = 3
// Created once, because creating one takes longer than a page.
const NAMES = new Intl.ListFormat('en')

export interface NearbyPlaces {
  /** The parent place; null if the service has no page there. */
  parent: PageLink | null
  /** The places directly inside this place. */
  within: PageLink[]
  /** Other places with the same parent. */
  beside: PageLink[]
  /** The parent's name; null for a place at the top level. */
  branch: string | null
  /** Places at the same level with other parents, if `beside` has few places. */
  further: PageLink[]
  /**
   * The names of the parent places for `further`. If there are more than three, the name of the smallest place that
   * contains all of them; null if there is none.
   */
  furtherBranch: string | null
}

interface Listed extends Addresses {
  locations: TermTree
}

/** Lists places around a place in which the service has a page. */
export function nearbyPlaces(content: Listed, service: Entry, place: TermNode): NearbyPlaces {
  const link = (term: TermNode) => linkTo(content, service, term)
  const { beside, further } = placesBeside(content, service, place)
  return {
    parent: (place.parent && link(place.parent)) ?? null,
    within: place.children.flatMap((child) => link(child) ?? []),
    beside: beside.flatMap((term) => link(term) ?? []),
    branch: place.parent?.name ?? null,
    further: further.flatMap((term) => link(term) ?? []),
    furtherBranch: further.length > 0 ? nameBranches(place, further) : null,
  }
}

interface PlacesBeside {
  /** Places in its own branch. */
  beside: TermNode[]
  /** The terms of the branches after it. */
  further: TermNode[]
}

/**
 * Selects the other places that a place's page links to. Without coordinates, the same branch is the best guess at
 * what is nearby: the next places in it, wrapping around at the end. A short branch continues in the branches after
 * it, and the last places of a long branch link to a short one that follows, so that every place gets a link.
 */
export function placesBeside(content: Listed, service: Entry, place: TermNode): PlacesBeside {
  const level = levelOf(content, service, place)
  const at = level.indexOf.get(place) ?? -1
  if (at < 0) return { beside: [], further: [] }
  const branch = branchAt(level, at)
  const own = afterIn(level.terms, branch, at).slice(0, SHOWN_PLACES)
  const others = level.terms.length - branch.size
  if (own.length === SHOWN_PLACES) {
    const onward = others > 0 ? onwardFrom(level, branch, at) : undefined
    return onward ? { beside: own.slice(0, -1), further: [onward] } : { beside: own, further: [] }
  }
  const missing = Math.min(SHOWN_PLACES - own.length, others)
  // Each place of a short branch takes a different part of what follows.
  const skipped = (at - branch.start) * missing
  const further = Array.from({ length: missing }, (_, index) => (skipped + index) % others)
  return {
    beside: own,
    further: further.flatMap((step) => termAt(level, branch.start + branch.size + step)),
  }
}

// Lists the places of one depth with a page of the service, in tree order, so that branches stay together.
interface Level {
  terms: TermNode[]
  indexOf: Map<TermNode, number>
}

interface Branch {
  start: number
  size: number
}

const levelsByService = onceFor((_: Listed['places']) => new Map<number, Level[]>())

function levelOf(content: Listed, service: Entry, place: TermNode): Level {
  const byService = levelsByService(content.places)
  const ofService = byService.get(service.id) ?? readLevels(content, service)
  byService.set(service.id, ofService)
  return ofService[ancestorsOf(place).length] ?? { terms: [], indexOf: new Map() }
}

function readLevels({ places, locations }: Listed, service: Entry): Level[] {
  const offered = places.get(service.id) ?? new Set()
  const found: Level[] = []
  let terms = locations.roots
  while (terms.length > 0) {
    const listed = terms.filter(({ id }) => offered.has(id))
    found.push({ terms: listed, indexOf: new Map(listed.map((term, index) => [term, index])) })
    terms = terms.flatMap(({ children }) => children)
  }
  return found
}

function termAt({ terms }: Level, index: number): TermNode[] {
  const term = terms[index % terms.length]
  return term ? [term] : []
}

function branchAt(level: Level, at: number): Branch {
  const parent = level.terms[at % level.terms.length]?.parent ?? null
  return branchesOf(level).get(parent) ?? { start: at, size: 1 }
}

const branchesOf = onceFor(({ terms }: Level) => {
  const branches = new Map<TermNode | null, Branch>()
  for (const [index, { parent }] of terms.entries()) {
    const branch = branches.get(parent)
    if (branch) branch.size++
    else branches.set(parent, { start: index, size: 1 })
  }
  return branches
})

function afterIn(terms: readonly TermNode[], { start, size }: Branch, at: number): TermNode[] {
  const count = Math.min(SHOWN_PLACES, size - 1)
  return Array.from({ length: count }, (_, step) => start + ((at - start + step + 1) % size)).flatMap(
    (index) => terms[index] ?? [],
  )
}

function onwardFrom(level: Level, { start, size }: Branch, at: number): TermNode | undefined {
  const fromEnd = start + size - 1 - at
  const next = branchAt(level, start + size)
  if (fromEnd >= SHOWN_PLACES || next.size > SHOWN_PLACES) return undefined
  return level.terms[next.start + (fromEnd % next.size)]
}

// A list of a few towns under the name of their state would seem to be all that the state has.
function nameBranches(place: TermNode, further: readonly TermNode[]): string | null {
  const names = [...new Set(further.map(({ parent }) => parent?.name))].filter((name) => name !== undefined)
  if (names.length > 0 && names.length <= NAMED_BRANCHES) return NAMES.format(names)
  return branchAround(place, further)?.name ?? null
}

// Returns the smallest place that contains all of them; undefined for the whole list.
function branchAround(place: TermNode, beside: readonly TermNode[]): TermNode | undefined {
  const lines = beside.map(ancestorsOf)
  return ancestorsOf(place).findLast((term) => lines.every((line) => line.includes(term)))
}

function linkTo(content: Addresses, service: Entry, term: TermNode): PageLink | undefined {
  const path = placePath(content, service, term)
  return path === undefined ? undefined : { name: term.name, path }
}
