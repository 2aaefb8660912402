import type { Entry } from '../../entries/entry-store.ts'
import { onceFor } from '../../lib/once-for.ts'
import { ancestorsOf, type TermNode } from '../../taxonomies/term-tree.ts'
import type { SiteContent, Testimonial, TestimonialView } from './site-content.ts'

/** Number of testimonials on the page of a service, also in a place. */
export const SHOWN_TESTIMONIALS = 3

/** Number of testimonials on the home page. */
export const HOME_TESTIMONIALS = 6

interface Wanted {
  /** Slug of the service that the page is about. */
  service?: string
  place?: TermNode
  /** Maximum number. */
  count: number
}

/**
 * Selects the best matching testimonials: first from this place, then from places above it, then about this service,
 * then others.
 */
export function testimonialsFor(content: SiteContent, wanted: Wanted): TestimonialView[] {
  const choices = choicesOf(content)
  const key = `${wanted.count} ${wanted.service ?? ''} ${placesOf(choices, wanted.place)}`
  const chosen = choices.byWish.get(key) ?? choose(content, wanted)
  choices.byWish.set(key, chosen)
  return chosen
}

interface Choices {
  /** The terms assigned to testimonials. */
  placeIds: Set<number>
  byWish: Map<string, TestimonialView[]>
}

// Most pages of a service need the same ones, so they are selected once per service and per place that has
// testimonials.
const choicesOf = onceFor(({ testimonials }: SiteContent): Choices => {
  const placeIds = new Set([...testimonials.values()].flatMap(({ locationIds }) => [...locationIds]))
  return { placeIds, byWish: new Map() }
})

function placesOf({ placeIds }: Choices, place: TermNode | undefined): string {
  let text = place && placeIds.has(place.id) ? `here ${place.id}` : ''
  for (let term = place?.parent; term; term = term.parent) if (placeIds.has(term.id)) text += ` ${term.id}`
  return text
}

function choose(content: SiteContent, wanted: Wanted): TestimonialView[] {
  return [...content.testimonials.values()]
    .map((testimonial) => ({ testimonial, fit: fitOf(testimonial, wanted) }))
    .sort((a, b) => b.fit - a.fit || a.testimonial.entry.id - b.testimonial.entry.id)
    .slice(0, wanted.count)
    .map(({ testimonial }) => testimonial.view)
}

/** Returns the testimonials of a location service: those that it lists, or the best matching ones. */
export function testimonialsHere(
  content: SiteContent,
  { service, place, own }: { service: Entry; place: TermNode; own: unknown },
): TestimonialView[] {
  const named = testimonialsById(content, typeof own === 'string' ? own.trim() : '')
  if (named.length > 0) return named
  return testimonialsFor(content, { service: service.slug, place, count: SHOWN_TESTIMONIALS })
}

/** Returns the testimonials listed in a location service: comma-separated entry IDs (§2.9). */
function testimonialsById(content: SiteContent, ids: string): TestimonialView[] {
  return [...new Set(ids.split(',').map(Number))]
    .map((id) => content.testimonials.get(id))
    .filter((testimonial) => testimonial !== undefined)
    .map((testimonial) => testimonial.view)
}

function fitOf({ entry, locationIds }: Testimonial, { service, place }: Wanted): number {
  const isHere = place && locationIds.has(place.id)
  const isAround = place && ancestorsOf(place).some((term) => locationIds.has(term.id))
  const isSameService = service !== undefined && entry.data.service === service
  return (isHere ? 4 : 0) + (isAround ? 2 : 0) + (isSameService ? 1 : 0)
}
