import type { Entry } from '../../entries/entry-store.ts'
import { showsServiceText } from '../../entries/offers/service-text.ts'
import { LOCATION_SERVICES } from '../../entries/types/builtin/slugs.ts'
import { composeRoute } from '../../entries/types/route-pattern.ts'
import { DEFAULT_COUNTRY } from '../../lib/locale/locale.ts'
import { toDialable } from '../../lib/locale/phone-number.ts'
import { onceFor } from '../../lib/once-for.ts'
import { countWords } from '../../lib/words.ts'
import { ancestorsOf, type TermNode } from '../../taxonomies/term-tree.ts'
import type { ServiceContent } from '../content/service-content.ts'
import {
  type SiteContent,
  serviceContentOf,
  type Testimonial,
  type TestimonialView,
} from '../content/site-content.ts'
import { textOf, webAddress } from '../pages/text-of.ts'
import type { OwnText } from './own-texts.ts'
import { type PageQuality, type QualityFacts, scoreOf } from './page-quality.ts'

const NOTHING: OwnText = { words: 0, copied: 0, twin: undefined }

interface Shown {
  path: string
  service: Entry
  place: TermNode
  entry: Entry
  testimonials: readonly TestimonialView[]
}

/** Returns a location page's quality. Below the threshold in the site's settings, search engines don't list it. */
export function qualityOf(content: SiteContent, shown: Shown): PageQuality {
  const facts = qualityFacts(content, shown)
  const score = scoreOf(facts)
  return {
    entryId: shown.entry.id,
    path: shown.path,
    score,
    isListed: score >= content.settings.quality_threshold,
    facts,
  }
}

// Collects facts from what it shows and from the texts of other places.
function qualityFacts(content: SiteContent, shown: Shown): QualityFacts {
  const { service, place, entry } = shown
  const own = content.ownTexts.get(entry.id) ?? NOTHING
  const { data } = entry
  return {
    ownWords: own.words,
    copied: Math.round(own.copied * 100) / 100,
    twinPath: own.twin === undefined ? null : pathOf(content, own.twin),
    pageWords: own.words + inheritedWords(content, service, entry),
    placeWords: countWords(place.description ?? ''),
    hasAddress: isAddressOf(place, data),
    hasPhone: hasOwnPhone(content, data),
    hasMap: webAddress(data.map_embed_url) !== null,
    testimonial: testimonialFrom(content, shown),
    placesBelow: countPlacesBelow(content, service, place),
  }
}

function pathOf({ types }: SiteContent, slug: string): string | null {
  const pattern = types.get(LOCATION_SERVICES)?.routePattern
  return (pattern && composeRoute(pattern, slug)) ?? null
}

// If all places show the same address, it belongs to only one of them.
function isAddressOf(place: TermNode, { address, city }: Entry['data']): boolean {
  const text = textOf(address)?.toLowerCase()
  if (!text) return false
  const names = [place.name, textOf(city), ...place.children.map(({ name }) => name)]
  return names.some((name) => name !== null && text.includes(name.toLowerCase()))
}

// Compared however they are written. A number that can't be dialed helps nobody.
function hasOwnPhone({ layout, settings }: SiteContent, { phone }: Entry['data']): boolean {
  const text = textOf(phone)
  const dialed = text === null ? undefined : toDialable(text, settings.country ?? DEFAULT_COUNTRY)
  return dialed !== undefined && dialed !== layout.phone?.dial
}

function testimonialFrom(content: SiteContent, shown: Shown): QualityFacts['testimonial'] {
  const { service, place, testimonials } = shown
  const fromHere = testimonials
    .flatMap((view) => testimonialOf(content).get(view) ?? [])
    .filter((testimonial) => isFrom(content, testimonial, place))
  if (fromHere.some((testimonial) => testimonial.entry.data.service === service.slug)) return 'service'
  return fromHere.length > 0 ? 'other' : null
}

const testimonialOf = onceFor(
  ({ testimonials }: SiteContent) => new Map([...testimonials.values()].map((one) => [one.view, one])),
)

function isFrom({ locations }: SiteContent, { locationIds }: Testimonial, place: TermNode): boolean {
  return [...locationIds].some((id) => {
    const term = locations.byId.get(id)
    return term !== undefined && (term === place || ancestorsOf(term).includes(place))
  })
}

function countPlacesBelow({ places }: SiteContent, service: Entry, place: TermNode): number {
  const offered = places.get(service.id)
  return place.children.filter(({ id }) => offered?.has(id)).length
}

function inheritedWords(content: SiteContent, service: Entry, entry: Entry): number {
  const words = wordsOf(serviceContentOf(content, service))
  return showsServiceText(entry.body) ? words.around + words.body : words.around
}

// Counted once per service, not for each of its places.
const wordsOf = onceFor(({ steps, faq, includes, summary, bodyHtml }: ServiceContent) => {
  const around = [
    summary ?? '',
    ...includes,
    ...steps.flatMap(({ title, text }) => [title, text]),
    ...faq.flatMap(({ question, answer }) => [question, answer]),
  ]
  return { around: countWords(around.join(' ')), body: countWords(bodyHtml.replace(/<[^>]*>/g, ' ')) }
})
