import { crc32 } from 'node:zlib'
import type { Entry } from '../../entries/entry-store.ts'
import { OWN_SECTIONS } from '../../entries/sections/own-sections.ts'
import { LOCATION_SERVICES } from '../../entries/types/builtin/slugs.ts'
import type { TermNode } from '../../taxonomies/term-tree.ts'
import { shortHash } from '../content/fingerprint.ts'
import { placesBeside } from '../content/nearby-places.ts'
import type { SiteContent, Testimonial } from '../content/site-content.ts'
import { pictureState } from '../pictures/page-pictures.ts'
import { textPictures } from '../pictures/text-pictures.ts'
import type { Page } from './page.ts'

/**
 * Something that several pages show: a term, a service, a form, a setting. If parts of a row appear on different
 * pages, each part is its own source: a name appears on more pages than a text.
 */
export interface PageSource {
  /** `term:17`, `term-text:17`, `service:3`, `form:1`, `setting:phone` */
  key: string
  /** Name for people. */
  label: string
  /** Changes when the source does. */
  hash: string
}

/** Returns 8 hex digits that change with the value. Used to report what changed, not to decide what is rendered. */
export function changeMark(value: unknown): string {
  return crc32(JSON.stringify(value) ?? '')
    .toString(16)
    .padStart(8, '0')
}

/** Changes with anything in an entry, and with the results of comparing its text: 16 hex digits. */
export function entryMark({ ownTexts, pictures }: SiteContent, entry: Entry): string {
  return shortHash(JSON.stringify([entry, ownTexts.get(entry.id), pictureStates(pictures, entry)]))
}

const FORM_ADDRESS = /\/forms\/[\w-]+/g

/**
 * Changes with everything that other pages show of an entry, and with the address of its page: 16 hex digits. While
 * it stays the same, an edit affects only the entry's own page. Other pages link to an entry by its title, but name
 * a location service after its service and place. The rest of a service is also on the pages of its places and on
 * those that list services.
 */
export function frameMark({ types }: Pick<SiteContent, 'types'>, entry: Entry): string {
  const { id, typeId, slug, title, data, body, redirectFrom } = entry
  const { service_entry_id, location_term_id, form, icon, position } = data
  const isPlace = types.get(LOCATION_SERVICES)?.id === typeId
  // Built-in forms that nothing uses aren't listed.
  const forms = `${body} ${JSON.stringify(data)}`.match(FORM_ADDRESS)
  const shown = isPlace ? [service_entry_id, location_term_id] : [title, icon, position]
  return shortHash(JSON.stringify([id, typeId, slug, redirectFrom, form, forms, shown]))
}

function pictureStates(pictures: SiteContent['pictures'], { data, body }: Entry): (string | undefined)[] {
  return [pictureState(pictures, data), textPictures(pictures).stateOf(body)]
}

// Their terms are sources with or without an archive.
const ALWAYS_READ = new Set(['locations', 'service_categories'])

/** Yields every source of the site's pages, except entries that affect only their own page. */
export function* listPageSources(content: SiteContent): Generator<PageSource> {
  yield source('setting:site_url', 'SITE_URL', content.siteUrl)
  for (const [key, value] of Object.entries(content.settings))
    yield source(`setting:${key}`, key, withPictures(content, value))
  for (const { id: _, ...type } of content.types.values()) yield source(`type:${type.slug}`, type.name, type)
  for (const { updatedAt: _, ...form } of content.forms.values())
    yield source(`form:${form.id}`, form.name, form)
  for (const service of content.services.values()) yield* sourcesOfService(content, service)
  for (const testimonial of content.testimonials.values()) yield* sourcesOfTestimonial(content, testimonial)
  yield source('pages', 'footer', content.layout.pages)
  for (const tree of [content.locations, content.serviceCategories])
    for (const term of tree.byId.values()) yield* sourcesOfTerm(term)
  yield* archiveSources(content)
}

// Unchanged if it names none, so that existing marks stay valid.
function withPictures({ pictures }: SiteContent, value: unknown): unknown {
  const state = pictureState(pictures, { value })
  return state === undefined ? value : [value, state]
}

function* archiveSources({ archives }: SiteContent): Generator<PageSource> {
  for (const { taxonomy, tree } of archives) {
    const { id, slug, name, description } = taxonomy
    yield source(`taxonomy:${id}`, name, [slug, name, description])
    if (!ALWAYS_READ.has(slug)) for (const term of tree.byId.values()) yield* sourcesOfTerm(term)
  }
}

/** Yields the source of a service's name, which every page shows, and of everything else about it. */
export function* sourcesOfService(content: SiteContent, service: Entry): Generator<PageSource> {
  yield source(`service:${service.id}`, service.title, [service.slug, service.title])
  const text = [
    service.body,
    service.data,
    content.categoriesByService.get(service.id),
    ...pictureStates(content.pictures, service),
  ]
  yield source(`service-text:${service.id}`, service.title, text)
}

/** Yields the source of what decides which pages show a testimonial, and of everything else about it. */
export function* sourcesOfTestimonial(
  content: SiteContent,
  { entry, locationIds }: Testimonial,
): Generator<PageSource> {
  yield choiceOfTestimonial(entry, locationIds)
  // A restore from the trash counts as a save, but changes nothing that pages show.
  const { updatedAt: _, ...shown } = entry
  yield source(`testimonial-text:${entry.id}`, entry.title, [
    shown,
    ...pictureStates(content.pictures, entry),
  ])
}

/** Returns the source of what decides which pages show a testimonial: its service and its places. */
export function choiceOfTestimonial({ id, title, data }: Entry, locationIds: Iterable<number>): PageSource {
  return source(`testimonial:${id}`, title, [data.service ?? null, ...locationIds])
}

/** Yields the source of a term's name and position, and of its text if it has one. */
export function* sourcesOfTerm({
  id,
  name,
  slug,
  parentId,
  position,
  kind,
  description,
}: TermNode): Generator<PageSource> {
  yield source(`term:${id}`, name, [name, slug, parentId, position, kind])
  if (description !== null) yield source(`term-text:${id}`, name, description)
}

function source(key: string, label: string, value: unknown): PageSource {
  return { key, label, hash: changeMark(value) }
}

// Sources of the layout, which every page shows.
const ON_EVERY_PAGE = /^(?:template|pages|service:.*|setting:(?!home$|default_form$).*)$/

/** Returns the sources that the page shows. An address may contain the slug of one that the page doesn't show. */
export function sourcesOfPage(content: SiteContent, page: Page, keys: readonly string[]): string[] {
  const own = ownSources(content, page)
  return keys.filter((key) => ON_EVERY_PAGE.test(key) || (own === 'all' ? true : own.has(key)))
}

const LISTS = new Set(['fixed', 'area', 'areas-from', 'taxonomy', 'term'])

function ownSources(content: SiteContent, { key }: Page): Set<string> | 'all' {
  const [kind, id = '', place = ''] = key.split(':')
  if (kind === 'place') return placeSources(content, Number(id), Number(place))
  if (kind === 'form' || kind === 'thanks') return new Set([`form:${id}`])
  const isService = kind === 'entry' && content.services.has(Number(id))
  // Home, the lists of services and places, archives, and a service with all its places.
  if (isService || LISTS.has(kind ?? '')) return 'all'
  return new Set([...content.forms.values()].map((form) => `form:${form.id}`))
}

function placeSources(content: SiteContent, serviceId: number, placeId: number): Set<string> {
  const service = content.services.get(serviceId)
  const place = content.locations.byId.get(placeId)
  const form = content.forms.get(String(service?.data.form || content.settings.default_form))
  const keys = [
    'type:location_services',
    'type:services',
    'setting:default_form',
    `service-text:${serviceId}`,
  ]
  if (form) keys.push(`form:${form.id}`)
  if (OWN_SECTIONS.length > 0) keys.push('setting:home')
  for (const id of content.testimonials.keys()) keys.push(`testimonial:${id}`, `testimonial-text:${id}`)
  if (!place) return new Set(keys)
  keys.push(`term-text:${placeId}`)
  const { beside = [], further = [] } = service ? placesBeside(content, service, place) : {}
  for (const term of [place, ...place.children, ...beside, ...further]) keys.push(`term:${term.id}`)
  for (const { parent } of further) if (parent) keys.push(`term:${parent.id}`)
  for (let term = place.parent; term; term = term.parent) keys.push(`term:${term.id}`)
  return new Set(keys)
}
