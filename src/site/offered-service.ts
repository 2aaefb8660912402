import type { Entry } from '../entries/entry-store.ts'
import { ancestorsOf, type TermNode } from '../taxonomies/term-tree.ts'
import { placePath } from './page-addresses.ts'
import type { SiteContent } from './site-content.ts'
import { textOf } from './text-of.ts'

const LISTED_AREAS = 50

/** A service and where it is offered, for machines that read the page. */
export interface OfferedService {
  name: string
  /** What it is called everywhere. */
  serviceType: string
  description: string | null
  /** Root terms first in each: country, state, city, area (§2.6). */
  areas: string[][]
  /** Where it is offered from, if that is said; the name is that of the place. */
  office: { name: string; address: string; phone: string | null } | null
}

/** A service wherever it is offered: the highest places of each branch that have a page. */
export function serviceEverywhere(content: SiteContent, service: Entry): OfferedService {
  return {
    name: service.title,
    serviceType: service.title,
    description: textOf(service.data.summary),
    areas: highestPlaces(content, service, content.locations.roots).slice(0, LISTED_AREAS).map(lineOf),
    office: null,
  }
}

function highestPlaces(content: SiteContent, service: Entry, terms: readonly TermNode[]): TermNode[] {
  return terms.flatMap((term) =>
    placePath(content, service, term) ? [term] : highestPlaces(content, service, term.children),
  )
}

/** A service in one place. */
export function serviceInPlace(
  service: Entry,
  place: TermNode,
  { name, entry }: { name: string; entry: Entry },
): OfferedService {
  const address = textOf(entry.data.address)
  return {
    name,
    serviceType: service.title,
    description: textOf(service.data.summary),
    areas: [lineOf(place)],
    office: address === null ? null : { name: place.name, address, phone: textOf(entry.data.phone) },
  }
}

function lineOf(place: TermNode): string[] {
  return [...ancestorsOf(place), place].map((term) => term.name)
}
