import type { Db } from '../../db/schema.ts'
import { inOrder } from '../../entries/editing/order-entries.ts'
import { type Entry, listEntries, listTermIdsByEntry } from '../../entries/entry-store.ts'
import { loadTermTree } from '../../entries/offers/load-places.ts'
import { listPlacesNear, listPlacesOfServices } from '../../entries/offers/place-pair-store.ts'
import { LOCATION_SERVICES, PAGES, SERVICES, TESTIMONIALS } from '../../entries/types/builtin/slugs.ts'
import { type ContentType, listContentTypes } from '../../entries/types/content-type-store.ts'
import type { Form } from '../../forms/form.ts'
import { listForms } from '../../forms/form-store.ts'
import { localeOf } from '../../lib/locale/locale.ts'
import type { Picture } from '../../pictures/picture.ts'
import { listPictures } from '../../pictures/picture-store.ts'
import type { TermTree } from '../../taxonomies/term-tree.ts'
import { type AreaPlan, planAreas } from '../areas/area-plan.ts'
import { findUnusedForms } from '../forms/find-unused-forms.ts'
import { type Archive, loadArchives } from '../pages/archives.ts'
import { type LayoutView, linksOfType, type ServiceLink, toLayoutView } from '../pages/layout-view.ts'
import type { Addresses } from '../pages/page-addresses.ts'
import { drawsPlaces, pictureOfService, type SharePicture } from '../pages/share-picture.ts'
import { textOf } from '../pages/text-of.ts'
import { textPictures } from '../pictures/text-pictures.ts'
import { loadOwnTexts, type OwnText } from '../quality/own-texts.ts'
import type { SiteSettings } from '../settings/site-settings.ts'
import { findSiteSettings } from '../settings/site-settings-store.ts'
import { type TextPictures, withMarkdown } from './lazy-markdown.ts'
import { type ServiceContent, toServiceContent } from './service-content.ts'

/**
 * The content of pages, read once per plan, except location services, which are streamed. Of these, only the pairs
 * that have a page are kept, for links between places.
 */
export interface SiteContent extends Addresses {
  siteUrl: string
  /** The time shown: schedules decide which content it includes. */
  shownAt: Date
  settings: SiteSettings
  layout: LayoutView
  services: Map<number, Entry>
  /** Rendered once each, because every place of a service shows them. */
  serviceContents: Map<number, ServiceContent>
  testimonials: Map<number, Testimonial>
  forms: Map<string, Form>
  /** Slugs of forms to leave out of lists. */
  unusedForms: Set<string>
  locations: TermTree
  serviceCategories: TermTree
  categoriesByService: Map<number, number[]>
  /** Taxonomies whose terms have pages. */
  archives: Archive[]
  /** By service entry ID, for pictures shown when a page is shared. */
  servicePictures: Map<number, SharePicture | undefined>
  /** True if the places of a service have their own pictures. */
  drawsPlaces: boolean
  /** Local texts of location services, by entry ID. */
  ownTexts: Map<number, OwnText>
  /** Entries that fields can refer to by slug. */
  pictures: Map<string, Picture>
  /** Layout of the list of places. */
  areas: AreaPlan
  /** Filled on demand: location term ID → every service there. */
  servicesByPlace: Map<number, ServiceLink[]>
}

export interface Testimonial {
  entry: Entry
  locationIds: Set<number>
  view: TestimonialView
}

export interface TestimonialView {
  /** The heading above the quote; empty if there is none. */
  title: string
  quoteHtml: string
  author: string | null
  place: string | null
}

interface SiteContentOptions {
  siteUrl: string
  now?: Date
  /** Only what some pages need. */
  near?: NearContent | undefined
  /** Default: the saved ones. */
  settings?: SiteSettings
  /** Default: the saved ones. */
  trees?: TermTrees | undefined
}

/** The terms that pages use. */
export type TermTrees = Pick<SiteContent, 'locations' | 'serviceCategories'>

/**
 * Loads content for the pages of some entries, without archives, and compares no texts. `places`: for pages that list
 * services, too. Otherwise, of the places of services, it includes only those that the pages of these pairs link to.
 */
export type NearContent =
  | 'places'
  | {
      serviceIds: readonly number[]
      locationIds: readonly number[]
      /** Results of comparing with all other content, if known. */
      known?: KnownContent
    }

/** Parts of all pages that depend on the whole content. */
export interface KnownContent {
  /** Some places, for the footer. */
  areas: AreaPlan['some']
  drawsPlaces: boolean
}

/** Loads the terms that pages use. */
export async function loadTermTrees(db: Db): Promise<TermTrees> {
  return {
    locations: await loadTermTree(db, 'locations'),
    serviceCategories: await loadTermTree(db, 'service_categories'),
  }
}

/** Loads the content that the site shows at a time, by default now. */
export async function loadSiteContent(
  db: Db,
  { siteUrl, now: shownAt = new Date(), near, settings: given, trees }: SiteContentOptions,
): Promise<SiteContent> {
  const settings = given ?? (await findSiteSettings(db))
  const types = new Map((await listContentTypes(db)).map((type) => [type.slug, type]))
  const services = await shownEntries(db, types.get(SERVICES), shownAt)
  const places = await loadPlaces(db, types.get(LOCATION_SERVICES), { shownAt, near })
  const pictures = await listPictures(db)
  const known = near === 'places' ? undefined : near?.known
  const parts = {
    pictures,
    siteUrl,
    shownAt,
    settings,
    types,
    services: new Map(services.map((service) => [service.id, service])),
    serviceContents: new Map(services.map((service) => [service.id, toServiceContent(service, pictures)])),
    testimonials: await loadTestimonials(db, types.get(TESTIMONIALS), { shownAt, pictures }),
    forms: new Map((await listForms(db)).map((form) => [form.slug, form])),
    ...(trees ?? (await loadTermTrees(db))),
    categoriesByService: await termIds(db, types.get(SERVICES)),
    places,
    servicePictures: new Map(services.map(({ id, title }) => [id, pictureOfService(settings, title)])),
    drawsPlaces: known?.drawsPlaces ?? drawsPlaces(settings, places),
    ownTexts: near ? new Map() : await loadOwnTexts(db, types.get(LOCATION_SERVICES), shownAt),
  }
  const areas = known ? unplanned(known) : planAreas(parts)
  const shown = { shownAt, language: localeOf(settings).language }
  const layout = toLayoutView(settings, {
    siteUrl,
    pictures,
    services: await linksOfType(db, types.get(SERVICES), shown),
    pages: await linksOfType(db, types.get(PAGES), shown),
    areas: areas.some,
    defaultForm: parts.forms.get(settings.default_form ?? ''),
  })
  const archives = near ? [] : await loadArchives(db, parts)
  const unusedForms = near
    ? new Set<string>()
    : await findUnusedForms(db, { forms: parts.forms.values(), settings })
  return { ...parts, unusedForms, archives, areas, layout, servicesByPlace: new Map() }
}

/** Returns a service's content. Throws if the service isn't published. */
export function serviceContentOf(content: SiteContent, service: Entry): ServiceContent {
  const own = content.serviceContents.get(service.id)
  if (!own) throw new Error(`Service ${service.slug} is not among the published ones`)
  return own
}

// In the same order on every database, because a schedule reads the live site's content from a file.
async function shownEntries(db: Db, type: ContentType | undefined, shownAt: Date) {
  const entries = type ? await listEntries(db, type.id, { shownAt }) : []
  return inOrder(entries)
}

async function termIds(db: Db, type: ContentType | undefined) {
  return type ? listTermIdsByEntry(db, type.id) : new Map<number, number[]>()
}

async function loadTestimonials(
  db: Db,
  type: ContentType | undefined,
  { shownAt, pictures }: Pick<SiteContent, 'shownAt' | 'pictures'>,
) {
  const entries = await shownEntries(db, type, shownAt)
  const terms = await termIds(db, type)
  const shown = textPictures(pictures)
  return new Map(
    entries.map((entry) => [
      entry.id,
      { entry, locationIds: new Set(terms.get(entry.id) ?? []), view: toTestimonialView(entry, shown) },
    ]),
  )
}

function toTestimonialView(entry: Entry, pictures: TextPictures): TestimonialView {
  const author = textOf(entry.data.author)
  const view = { title: entry.title === author ? '' : entry.title, author, place: textOf(entry.data.place) }
  const owner = { kind: 'review', name: entry.slug } as const
  return withMarkdown(view, 'quoteHtml', { markdown: entry.body, owner, pictures })
}

async function loadPlaces(
  db: Db,
  type: ContentType | undefined,
  { shownAt, near }: { shownAt: Date; near: SiteContentOptions['near'] },
) {
  if (!type?.isRoutable) return new Map<number, Set<number>>()
  return near && near !== 'places' ? listPlacesNear(db, near, shownAt) : listPlacesOfServices(db, shownAt)
}

function unplanned({ areas: some }: KnownContent): AreaPlan {
  return { cities: undefined, roots: [], pages: [], paths: new Map(), some }
}
