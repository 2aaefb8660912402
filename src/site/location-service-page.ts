import type { Entry } from '../entries/entry-store.ts'
import { withMarkdown } from '../lib/lazy-markdown.ts'
import { webAddress } from '../lib/web-address.ts'
import { ancestorsOf, type TermNode } from '../taxonomies/term-tree.ts'
import { placeBreadcrumbs } from './breadcrumbs.ts'
import { type FormView, findFormView } from './form-view.ts'
import { formerPlacePaths } from './former-addresses.ts'
import { headDescription, headTitle } from './head-texts.ts'
import { serviceInPlace } from './offered-service.ts'
import type { Page } from './page.ts'
import { placeKey } from './page-key.ts'
import type { PageLink } from './page-link.ts'
import { qualityOf } from './quality/quality-facts.ts'
import { type ServiceContent, textOf } from './service-content.ts'
import { pictureOfService, type SharePicture, toPictureView } from './share-picture.ts'
import { placePath, type SiteContent, serviceContentOf, type TestimonialView } from './site-content.ts'
import type { SiteSettings } from './site-settings.ts'
import { testimonialsById, testimonialsFor } from './testimonials.ts'

const SHOWN_TESTIMONIALS = 3
const SHOWN_NEARBY = 12

// Depth in the tree of country, state, city, area (§2.6).
const STATE_LEVEL = 1
const CITY_LEVEL = 2

export interface LocationServiceView {
  /** The service's content with this place's own parts in place (§2.9 rule 5). */
  service: ServiceContent
  heading: string
  place: PlaceView
  testimonials: TestimonialView[]
  /** The same service in the places around. */
  nearby: PageLink[]
  /** The other services in this place. */
  otherServices: PageLink[]
  form: FormView | null
}

interface PlaceView {
  name: string
  city: string | null
  region: string | null
  intro: string | null
  address: string | null
  phone: string | null
  mapEmbedUrl: string | null
}

/**
 * The page of a service in a place. Undefined when the service is not published, or the service or the term is gone.
 */
export function locationServicePage(
  content: SiteContent,
  entry: Entry,
): Page<LocationServiceView> | undefined {
  const service = content.services.get(Number(entry.data.service_entry_id))
  const place = content.locations.byId.get(Number(entry.data.location_term_id))
  const path = service && place && placePath(content, service, place)
  if (!path) return undefined
  const testimonials = localTestimonials(content, service, place, entry)
  const quality = qualityOf(content, { path, service, place, entry, testimonials })
  const picture = pictureOf(content, { service, place, entry, isListed: quality.isListed })
  const heading = entry.title || `${service.title} in ${place.name}`
  return {
    path,
    key: placeKey(service, place),
    formerPaths: [...entry.redirectFrom, ...formerPaths(content, service, place)],
    quality,
    picture,
    partial: content.types.get('location_services')?.detailPartial ?? 'location_service_detail',
    view: {
      layout: content.layout,
      head: {
        title: headTitle(entry.title || `${service.title} in ${fullName(place)}`, content.settings.name),
        description: describe(service, place, entry),
        canonicalUrl: content.siteUrl + path,
        isHidden: !quality.isListed,
        picture: toPictureView(picture),
      },
      breadcrumbs: placeBreadcrumbs(content, service, place),
      service: serviceInPlace(service, place, { name: heading, entry }),
      detail: {
        heading,
        service: inheritedContent(content, service, entry),
        place: toPlaceView(content.settings, place, entry),
        testimonials,
        nearby: nearbyPlaces(content, service, place),
        otherServices: otherServices(content, service, place),
        form: findFormView(content, service.data.form, path),
      },
    },
  }
}

function formerPaths(content: SiteContent, service: Entry, place: TermNode): string[] {
  const patterns = {
    service: content.types.get('services')?.routePattern,
    place: content.types.get('location_services')?.routePattern,
  }
  return formerPlacePaths({ service, place }, patterns)
}

// A page that search engines are not to list is seldom shared: its service's picture, drawn anyhow, is good enough.
function pictureOf(
  content: SiteContent,
  { service, place, entry, isListed }: { service: Entry; place: TermNode; entry: Entry; isListed: boolean },
): SharePicture | undefined {
  if (!isListed || !content.drawsPlaces) return content.servicePictures.get(service.id)
  const phone = textOf(entry.data.phone)
  return pictureOfService(content.settings, service.title, { name: fullName(place), phone })
}

function inheritedContent(content: SiteContent, service: Entry, entry: Entry): ServiceContent {
  const inherited = serviceContentOf(content, service)
  if (entry.body.trim() === '') return inherited
  const { bodyHtml: _, ...rest } = inherited
  return withMarkdown(rest, 'bodyHtml', {
    markdown: entry.body,
    owner: `the location service ${entry.slug}`,
  })
}

function describe(service: Entry, place: TermNode, entry: Entry): string {
  const intro = textOf(entry.data.intro)
  const summary = textOf(service.data.summary)
  const start = `${service.title} in ${fullName(place)}`
  return intro ? headDescription(`${start}:`, intro) : headDescription(`${start}.`, summary)
}

// Two towns may share a name; the slugs of their terms do not.
function fullName({ name, parent }: TermNode): string {
  return parent?.parent ? `${name}, ${parent.name}` : name
}

/** What a page says of its place: its own words, or what it inherits. */
export function toPlaceView(
  settings: Pick<SiteSettings, 'phone'>,
  place: TermNode,
  { data }: Pick<Entry, 'data'>,
): PlaceView {
  const line = [...ancestorsOf(place), place]
  return {
    name: place.name,
    city: textOf(data.city) ?? line[CITY_LEVEL]?.name ?? null,
    region: textOf(data.region) ?? line[STATE_LEVEL]?.name ?? null,
    intro: textOf(data.intro) ?? place.description,
    address: textOf(data.address),
    phone: textOf(data.phone) ?? settings.phone,
    mapEmbedUrl: webAddress(textOf(data.map_embed_url)),
  }
}

function localTestimonials(content: SiteContent, service: Entry, place: TermNode, { data }: Entry) {
  const named = testimonialsById(content, textOf(data.local_testimonials) ?? '')
  if (named.length > 0) return named
  return testimonialsFor(content, { service: service.slug, place, count: SHOWN_TESTIMONIALS })
}

// Parent, children and siblings, in that order, as far as the service is offered there.
function nearbyPlaces(content: SiteContent, service: Entry, place: TermNode): PageLink[] {
  const links: PageLink[] = []
  for (const term of placesAround(place)) {
    const path = placePath(content, service, term)
    if (path) links.push({ name: term.name, path })
    if (links.length === SHOWN_NEARBY) break
  }
  return links
}

// One after the other as they are asked for: a place can have thousands of siblings.
function* placesAround(place: TermNode): Generator<TermNode> {
  if (place.parent) yield place.parent
  yield* place.children
  for (const sibling of place.parent?.children ?? []) if (sibling !== place) yield sibling
}

function otherServices(content: SiteContent, service: Entry, place: TermNode): PageLink[] {
  const links: PageLink[] = []
  for (const other of content.services.values()) {
    const path = other.id === service.id ? undefined : placePath(content, other, place)
    if (path) links.push({ name: other.title, path })
  }
  return links
}
