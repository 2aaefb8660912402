import type { Entry } from '../../entries/entry-store.ts'
import { shownText } from '../../entries/offers/service-text.ts'
import { LOCATION_SERVICES, SERVICES } from '../../entries/types/builtin/slugs.ts'
import { type SectionOf, sectionsOf } from '../../entries/types/page-sections.ts'
import { type Locale, localeOf } from '../../lib/locale/locale.ts'
import { nearestOfKind } from '../../taxonomies/kind-of-place.ts'
import type { TermNode } from '../../taxonomies/term-tree.ts'
import { servicesIn } from '../areas/areas.ts'
import { withMarkdown } from '../content/lazy-markdown.ts'
import { isEmbeddableMap } from '../content/map-embed.ts'
import { type NearbyPlaces, nearbyPlaces } from '../content/nearby-places.ts'
import { serviceInPlace } from '../content/offered-service.ts'
import { fullNameOf } from '../content/place-names.ts'
import type { ServiceContent } from '../content/service-content.ts'
import { type SiteContent, serviceContentOf, type TestimonialView } from '../content/site-content.ts'
import { testimonialsHere } from '../content/testimonials.ts'
import { type FormView, findFormView } from '../forms/form-view.ts'
import { headPictures, inheritedPictures, pagePictures } from '../pictures/page-pictures.ts'
import { textPictures } from '../pictures/text-pictures.ts'
import { qualityOf } from '../quality/quality-facts.ts'
import { type OwnSectionValues, ownSectionValues } from '../sections/section-values.ts'
import { type PhoneView, toPhoneView } from '../settings/phone-view.ts'
import type { SiteSettings } from '../settings/site-settings.ts'
import { placeBreadcrumbs } from './breadcrumbs.ts'
import { formerPlacePaths } from './former-addresses.ts'
import { headDescription, headTitle } from './head-texts.ts'
import type { LayoutView, ServiceLink } from './layout-view.ts'
import { type Page, type PageAddress, viewOf } from './page.ts'
import { placePath } from './page-addresses.ts'
import { placeKey } from './page-key.ts'
import { pictureOfService, type SharePicture, toPictureView } from './share-picture.ts'
import { textOf, webAddress } from './text-of.ts'

export interface LocationServiceView {
  /** Sections in display order. */
  sections: SectionOf<'location_service'>[]
  ownSections: OwnSectionValues
  /** The service's content. The text and pictures of the local page, if any, replace the service's (§2.9 rule 5). */
  service: ServiceContent
  heading: string
  place: PlaceView
  testimonials: TestimonialView[]
  /** Links to the same service in nearby places. */
  nearby: NearbyPlaces
  /** Every service offered in this place, including the page's own service. */
  servicesHere: ServiceLink[]
  form: FormView | null
}

interface PlaceView {
  name: string
  city: string | null
  region: string | null
  intro: string | null
  /** The place's `description` in `locations.yaml`; null if `intro` already contains it. */
  description: string | null
  address: string | null
  phone: PhoneView | null
  openingHours: SiteSettings['opening_hours']
  mapEmbedUrl: string | null
  /** True if the map can open on the page. Otherwise, the page only links to the map. */
  isMapEmbeddable: boolean
}

/**
 * Returns the address of a service's page in a place; undefined under the same conditions as `locationServicePage`.
 */
export function locationServiceAddress(content: SiteContent, entry: Entry): PageAddress | undefined {
  const service = content.services.get(Number(entry.data.service_entry_id))
  const place = content.locations.byId.get(Number(entry.data.location_term_id))
  const path = service && place && placePath(content, service, place)
  if (!path) return undefined
  return {
    path,
    key: placeKey(service, place),
    formerPaths: entry.redirectFrom,
    impliedPaths: impliedPaths(content, service, place),
  }
}

/**
 * Returns the page of a service in a place. Undefined if the service isn't published, or if the service or term was
 * deleted.
 */
export function locationServicePage(
  content: SiteContent,
  entry: Entry,
): Page<LocationServiceView> | undefined {
  const service = content.services.get(Number(entry.data.service_entry_id))
  const place = content.locations.byId.get(Number(entry.data.location_term_id))
  const address = locationServiceAddress(content, entry)
  if (!service || !place || !address) return undefined
  const { path } = address
  const testimonials = testimonialsHere(content, {
    ...{ service, place, own: entry.data.local_testimonials },
  })
  const quality = qualityOf(content, { path, service, place, entry, testimonials })
  const picture = pictureOf(content, { service, place, entry, isListed: quality.isListed })
  const { country } = localeOf(content.settings)
  const shown = inheritedContent(content, service, entry)
  const heading = entry.title || `${service.title} in ${place.name}`
  return {
    ...address,
    quality,
    picture,
    partial: content.types.get(LOCATION_SERVICES)?.detailPartial ?? 'location_service_detail',
    view: viewOf(content.layout, path, {
      title: headTitle(
        entry.title || `${service.title} in ${fullName(content, place)}`,
        content.settings.name,
      ),
      description: describe(content, service, place, entry),
      isHidden: !quality.isListed,
      picture: toPictureView(picture),
      ...headPictures(shown, shown.picture),
      breadcrumbs: placeBreadcrumbs(content, service, place),
      service: serviceInPlace(content, service, place, { name: heading, entry }),
      detail: {
        ...sectionsOfPage(content, service, entry),
        heading,
        service: shown,
        place: toPlaceView({ ...content.layout, country }, place, entry),
        testimonials,
        nearby: nearbyPlaces(content, service, place),
        servicesHere: servicesHere(content, place),
        form: findFormView(content, service.data.form, path),
      },
    }),
  }
}

function sectionsOfPage(
  { settings, pictures }: SiteContent,
  service: Entry,
  entry: Entry,
): Pick<LocationServiceView, 'sections' | 'ownSections'> {
  const sections = sectionsOf('location_service', entry.data.sections, settings.sections)
  const from = [entry.data, service.data, settings.home]
  const own = { kind: 'location_service', shown: sections, from, pictures } as const
  return { sections, ownSections: ownSectionValues(own) }
}

function impliedPaths(content: SiteContent, service: Entry, place: TermNode): string[] {
  const patterns = {
    service: content.types.get(SERVICES)?.routePattern,
    place: content.types.get(LOCATION_SERVICES)?.routePattern,
  }
  return formerPlacePaths({ service, place }, patterns)
}

// A page kept out of search engines is rarely shared, so its service's picture is enough.
function pictureOf(
  content: SiteContent,
  { service, place, entry, isListed }: { service: Entry; place: TermNode; entry: Entry; isListed: boolean },
): SharePicture | undefined {
  if (!isListed || !content.drawsPlaces) return content.servicePictures.get(service.id)
  const phone = textOf(entry.data.phone)
  return pictureOfService(content.settings, service.title, { name: fullName(content, place), phone })
}

function inheritedContent(content: SiteContent, service: Entry, entry: Entry): ServiceContent {
  const inherited = withOwnPictures(content, serviceContentOf(content, service), entry)
  if (entry.body.trim() === '') return inherited
  const { bodyHtml: _, ...rest } = inherited
  return withMarkdown(rest, 'bodyHtml', {
    markdown: shownText(entry.body, service.body),
    owner: { kind: 'location_service', name: entry.slug },
    pictures: textPictures(content.pictures),
  })
}

const PICTURE_FIELDS = ['hero', 'gallery', 'before_picture', 'after_picture']

// Most places have no content of their own: what they inherit is the same object, which is read once.
function withOwnPictures(
  { pictures }: SiteContent,
  service: ServiceContent,
  { data }: Entry,
): ServiceContent {
  if (!PICTURE_FIELDS.some((key) => data[key])) return service
  const { bodyHtml } = service
  return { ...service, ...inheritedPictures(pagePictures(pictures, data), service), bodyHtml }
}

function describe(content: SiteContent, service: Entry, place: TermNode, entry: Entry): string {
  const intro = textOf(entry.data.intro)
  const summary = textOf(service.data.summary)
  const start = `${service.title} in ${fullName(content, place)}`
  return intro ? headDescription(`${start}:`, intro) : headDescription(`${start}.`, summary)
}

// Two towns may share a name, but not a full name.
function fullName({ locations, settings }: SiteContent, place: TermNode): string {
  return fullNameOf(locations, place, localeOf(settings).country)
}

/** Returns the view of a page's place: its own texts, or inherited ones. */
export function toPlaceView(
  site: Pick<LayoutView, 'phone' | 'openingHours'> & Pick<Locale, 'country'>,
  place: TermNode,
  { data }: Pick<Entry, 'data'>,
): PlaceView {
  const { country } = site
  const mapEmbedUrl = webAddress(data.map_embed_url)
  const intro = textOf(data.intro)
  const phone = textOf(data.phone)
  return {
    name: place.name,
    city: textOf(data.city) ?? nearestOfKind(place, 'city', country)?.name ?? null,
    region: textOf(data.region) ?? regionOf(place, country),
    intro: intro ?? place.description,
    description: intro === null ? null : place.description,
    address: textOf(data.address),
    phone: phone === null ? site.phone : toPhoneView(phone, country),
    openingHours: site.openingHours,
    mapEmbedUrl,
    isMapEmbeddable: isEmbeddableMap(mapEmbedUrl),
  }
}

function regionOf(place: TermNode, country: string): string | null {
  const regions = (['state', 'county', 'region'] as const).map((kind) => nearestOfKind(place, kind, country))
  return regions.find((region) => region !== undefined)?.name ?? null
}

// One list for all pages of a place, so that it is made, compared, and cached once.
function servicesHere(content: SiteContent, place: TermNode): ServiceLink[] {
  const known = content.servicesByPlace.get(place.id) ?? servicesIn(content, place)
  content.servicesByPlace.set(place.id, known)
  return known
}
