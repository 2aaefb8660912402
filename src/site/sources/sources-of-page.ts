import type { Entry } from '../../entries/entry-store.ts'
import { OWN_SECTIONS } from '../../entries/sections/own-sections.ts'
import { onceFor } from '../../lib/once-for.ts'
import { namesInText, namesInValues } from '../../pictures/named-pictures.ts'
import { placesBeside } from '../content/nearby-places.ts'
import type { SiteContent } from '../content/site-content.ts'
import type { Page } from '../pages/page.ts'
import { isPictureSource, PICTURE } from './page-sources.ts'

// Sources of the layout, which every page shows.
const ON_EVERY_PAGE = /^(?:template|pages|service:.*|setting:(?!home$|default_form$).*)$/

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
