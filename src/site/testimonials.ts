import { ancestorsOf, type TermNode } from '../taxonomies/term-tree.ts'
import type { SiteContent, Testimonial, TestimonialView } from './site-content.ts'

interface Wanted {
  /** Slug of the service the page is about. */
  service?: string
  place?: TermNode
}

/**
 * The testimonials that fit, best first: said in this place, then in a place around it, then about this service,
 * then the others.
 */
export function testimonialsFor(content: SiteContent, wanted: Wanted): TestimonialView[] {
  return [...content.testimonials.values()]
    .map((testimonial) => ({ testimonial, fit: fitOf(testimonial, wanted) }))
    .sort((a, b) => b.fit - a.fit || a.testimonial.entry.id - b.testimonial.entry.id)
    .map(({ testimonial }) => testimonial.view)
}

/** The testimonials named by a location service: comma-separated entry ids (§2.9). */
export function testimonialsById(content: SiteContent, ids: string): TestimonialView[] {
  return ids
    .split(',')
    .map((id) => content.testimonials.get(Number(id)))
    .filter((testimonial) => testimonial !== undefined)
    .map((testimonial) => testimonial.view)
}

function fitOf({ entry, locationIds }: Testimonial, { service, place }: Wanted): number {
  const isHere = place && locationIds.has(place.id)
  const isAround = place && ancestorsOf(place).some((term) => locationIds.has(term.id))
  const isSameService = service !== undefined && entry.data.service === service
  return (isHere ? 4 : 0) + (isAround ? 2 : 0) + (isSameService ? 1 : 0)
}
