import type { Entry } from '../../entries/entry-store.ts'
import { localeOf } from '../../lib/locale/locale.ts'
import { kindOfPlace } from '../../taxonomies/kind-of-place.ts'
import type { PlaceKind } from '../../taxonomies/place-kind.ts'
import { ancestorsOf, type TermNode } from '../../taxonomies/term-tree.ts'
import { placePath } from '../pages/page-addresses.ts'
import { textOf } from '../pages/text-of.ts'
import { type PhoneView, toPhoneView } from '../settings/phone-view.ts'
import type { SiteContent } from './site-content.ts'

const LISTED_AREAS = 50

/** A place with its kind. */
export interface PlaceName {
  name: string
  kind: PlaceKind
}

/** A service and where it is offered, for structured data. */
export interface OfferedService {
  name: string
  /** Name of the service, the same in every place. */
  serviceType: string
  description: string | null
  /** Each from the root down, such as country, state, city (§2.6). */
  areas: PlaceName[][]
  /** Office that offers it, if known, named after the place. */
  office: { name: string; address: string; phone: PhoneView | null } | null
}

/** A service everywhere it is offered: the topmost places with a page in each branch. */
export function serviceEverywhere(content: SiteContent, service: Entry): OfferedService {
  return {
    name: service.title,
    serviceType: service.title,
    description: textOf(service.data.summary),
    areas: highestPlaces(content, service, content.locations.roots)
      .slice(0, LISTED_AREAS)
      .map((place) => lineOf(content, place)),
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
  content: SiteContent,
  service: Entry,
  place: TermNode,
  { name, entry }: { name: string; entry: Entry },
): OfferedService {
  const address = textOf(entry.data.address)
  const phone = textOf(entry.data.phone)
  return {
    name,
    serviceType: service.title,
    description: textOf(service.data.summary),
    areas: [lineOf(content, place)],
    office:
      address === null
        ? null
        : {
            name: place.name,
            address,
            phone: phone === null ? null : toPhoneView(phone, localeOf(content.settings).country),
          },
  }
}

function lineOf({ settings }: SiteContent, place: TermNode): PlaceName[] {
  const { country } = localeOf(settings)
  return [...ancestorsOf(place), place].map((term) => ({
    name: term.name,
    kind: kindOfPlace(term, country),
  }))
}
