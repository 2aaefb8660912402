import type { Entry } from '../../entries/entry-store.ts'
import type { Form } from '../../forms/form.ts'
import { namesInValues } from '../../pictures/named-pictures.ts'
import type { Picture } from '../../pictures/picture.ts'
import type { Term } from '../../taxonomies/taxonomy-store.ts'
import type { SiteContent, Testimonial } from '../content/site-content.ts'
import { UNSHOWN_SETTINGS } from '../settings/site-settings.ts'
import { changeMark, knownAmong, picturesOf, withoutOffers } from './entry-marks.ts'

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

const UNSHOWN = new Set<string>(UNSHOWN_SETTINGS)
// Their terms are sources with or without an archive.
const ALWAYS_READ = new Set(['locations', 'service_categories'])

/** Yields every source of the site's pages, except entries that affect only their own page. */
export function* listPageSources(content: SiteContent): Generator<PageSource> {
  yield source('setting:site_url', 'SITE_URL', content.siteUrl)
  for (const [key, value] of Object.entries(content.settings))
    if (!UNSHOWN.has(key)) yield source(`setting:${key}`, key, withPictures(content, value))
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

/** Prefix of the keys of pictures. */
export const PICTURE = 'picture:'

/** Returns whether a source is the content of a picture. */
export function isPictureSource(key: string): boolean {
  return key.startsWith(PICTURE)
}
