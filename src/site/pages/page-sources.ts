import { crc32 } from 'node:zlib'
import type { Entry } from '../../entries/entry-store.ts'
import { OWN_SECTIONS } from '../../entries/sections/own-sections.ts'
import { LOCATION_SERVICES } from '../../entries/types/builtin/slugs.ts'
import type { Form } from '../../forms/form.ts'
import { onceFor } from '../../lib/once-for.ts'
import { namesInText, namesInValues } from '../../pictures/named-pictures.ts'
import type { Picture } from '../../pictures/picture.ts'
import type { Term } from '../../taxonomies/taxonomy-store.ts'
import { shortHash } from '../content/fingerprint.ts'
import { placesBeside } from '../content/nearby-places.ts'
import type { SiteContent, Testimonial } from '../content/site-content.ts'
import type { Page } from './page.ts'

/**
 * Something that several pages show: a term, a service, a form, a setting. If parts of a row appear on different
 * pages, each part is its own source: a name appears on more pages than a text.
 */
export interface PageSource {
  /** `term:17`, `term-text:17`, `service:3`, `form:1`, `setting:phone`, `picture:van.jpg` */
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

/**
 * Changes with anything in an entry that its page shows, except the content of its pictures, and with the results of
 * comparing its text: 16 hex digits.
 */
export function entryMark({ ownTexts, pictures }: SiteContent, entry: Entry): string {
  const { data } = entry
  // Adding a place also saves the services that are, or are not, offered in it.
  const shown = data.offered_in ? { ...entry, data: withoutOffers(data), updatedAt: '' } : entry
  return shortHash(JSON.stringify([shown, ownTexts.get(entry.id), picturesOf(pictures, entry)]))
}

// Pages show the local pages that this makes, which are entries.
function withoutOffers({ offered_in: _, ...data }: Entry['data']): Entry['data'] {
  return data
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

// The named pictures that exist. Their content is a source of its own.
function picturesOf(pictures: SiteContent['pictures'], { data, body }: Entry): (string | undefined)[] {
  return [knownAmong(pictures, namesInValues(data)), knownAmong(pictures, namesInText(body))]
}

// Undefined without any, so that the marks of entries without pictures stay the same.
function knownAmong(pictures: SiteContent['pictures'], names: ReadonlySet<string>): string | undefined {
  const known = [...names].filter((name) => pictures.has(name))
  return known.length === 0 ? undefined : known.join('\n')
}

// Their terms are sources with or without an archive.
const ALWAYS_READ = new Set(['locations', 'service_categories'])

/** Yields every source of the site's pages, except entries that affect only their own page. */
export function* listPageSources(content: SiteContent): Generator<PageSource> {
  yield source('setting:site_url', 'SITE_URL', content.siteUrl)
  for (const [key, value] of Object.entries(content.settings))
    yield source(`setting:${key}`, key, withPictures(content, value))
  for (const { id: _, ...type } of content.types.values()) yield source(`type:${type.slug}`, type.name, type)
  for (const form of content.forms.values()) yield sourceOfForm(form)
  for (const service of content.services.values()) yield* sourcesOfService(content, service)
  for (const testimonial of content.testimonials.values()) yield* sourcesOfTestimonial(content, testimonial)
  yield source('pages', 'footer', content.layout.pages)
  for (const picture of content.pictures.values()) yield sourceOfPicture(picture)
  for (const tree of [content.locations, content.serviceCategories])
    for (const term of tree.byId.values()) yield* sourcesOfTerm(term)
  yield* archiveSources(content)
}

function withPictures({ pictures }: SiteContent, value: unknown): unknown {
  const known = knownAmong(pictures, namesInValues({ value }))
  return known === undefined ? value : [value, known]
}

function* archiveSources({ archives }: SiteContent): Generator<PageSource> {
  for (const { taxonomy, tree } of archives) {
    const { id, slug, name, description } = taxonomy
    yield source(`taxonomy:${id}`, name, [slug, name, description])
    if (!ALWAYS_READ.has(slug)) for (const term of tree.byId.values()) yield* sourcesOfTerm(term)
  }
}

/** Returns the source of a form. */
export function sourceOfForm({ updatedAt: _, ...form }: Form): PageSource {
  return source(`form:${form.id}`, form.name, form)
}

/** Returns the source of what pages show of a picture. */
export function sourceOfPicture({ name, sha256, alt, focalPoint, crop }: Picture): PageSource {
  return source(PICTURE + name, name, [sha256, alt, focalPoint, crop])
}

/** Yields the source of a service's name, which every page shows, and of everything else about it. */
export function* sourcesOfService(content: SiteContent, service: Entry): Generator<PageSource> {
  yield source(`service:${service.id}`, service.title, [service.slug, service.title])
  const text = [
    service.body,
    withoutOffers(service.data),
    content.categoriesByService.get(service.id),
    ...picturesOf(content.pictures, service),
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
  yield source(`testimonial-text:${entry.id}`, entry.title, [shown, ...picturesOf(content.pictures, entry)])
}

/** Returns the source of what decides which pages show a testimonial: its service and its places. */
export function choiceOfTestimonial({ id, title, data }: Entry, locationIds: Iterable<number>): PageSource {
  return source(`testimonial:${id}`, title, [data.service ?? null, ...locationIds])
}

/** The parts of a term that pages show. */
export type ShownTerm = Pick<Term, 'id' | 'name' | 'slug' | 'parentId' | 'position' | 'kind' | 'description'>

/** Yields the source of a term's name and position, and of its text if it has one. */
export function* sourcesOfTerm({
  id,
  name,
  slug,
  parentId,
  position,
  kind,
  description,
}: ShownTerm): Generator<PageSource> {
  yield source(`term:${id}`, name, [name, slug, parentId, position, kind])
  if (description !== null) yield source(`term-text:${id}`, name, description)
}

function source(key: string, label: string, value: unknown): PageSource {
  return { key, label, hash: changeMark(value) }
}

// Sources of the layout, which every page shows.
const ON_EVERY_PAGE = /^(?:template|pages|service:.*|setting:(?!home$|default_form$).*)$/

const PICTURE = 'picture:'

/** Returns whether a source is the content of a picture. */
export function isPictureSource(key: string): boolean {
  return key.startsWith(PICTURE)
}

/** Returns the sources that the page shows. An address may contain the slug of one that the page doesn't show. */
export function sourcesOfPage(
  content: SiteContent,
  { page, entry }: { page: Page; entry?: Entry | undefined },
  keys: readonly string[],
): string[] {
  const own = ownSources(content, page)
  if (own === 'all') return [...keys]
  const names = keys.some(isPictureSource) ? namesOnPage(content, page, entry) : new Set<string>()
  return keys.filter(
    (key) =>
      ON_EVERY_PAGE.test(key) ||
      own.has(key) ||
      names.has(isPictureSource(key) ? key.slice(PICTURE.length) : ''),
  )
}

// The pictures that a page may show: its own, those of its service, and those of many pages.
function namesOnPage(content: SiteContent, { key }: Page, entry: Entry | undefined): Set<string> {
  const [kind, id = ''] = key.split(':')
  const service = kind === 'place' ? content.services.get(Number(id)) : undefined
  const form = kind === 'thanks' ? content.forms.values().find((one) => `${one.id}` === id) : undefined
  return namesOnMany(content)
    .union(namesInText(form?.settings.success_body ?? ''))
    .union(namesIn([entry, service]))
}

const namesOnMany = onceFor((content: SiteContent) =>
  namesIn(content.testimonials.values().map(({ entry }) => entry)).union(namesInValues(content.settings)),
)

function namesIn(entries: Iterable<Entry | undefined>): Set<string> {
  const names = new Set<string>()
  for (const entry of entries)
    if (entry) for (const name of namesInText(entry.body).union(namesInValues(entry.data))) names.add(name)
  return names
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
