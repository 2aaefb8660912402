import type { Entry } from '../../entries/entry-store.ts'
import type { SiteContent, TestimonialView } from '../../site/content/site-content.ts'
import {
  HOME_TESTIMONIALS,
  SHOWN_TESTIMONIALS,
  testimonialsFor,
  testimonialsHere,
} from '../../site/content/testimonials.ts'
import type { Page } from '../../site/pages/page.ts'
import { fixedKey } from '../../site/pages/page-key.ts'

/** Returns whether a page shows a testimonial; true for one that is gone. */
export function showsTestimonial(
  content: SiteContent,
  { page, entry }: { page: Page; entry?: Entry | undefined },
  testimonialId: number,
): boolean {
  const testimonial = content.testimonials.get(testimonialId)
  return !testimonial || testimonialsOn(content, page, entry).includes(testimonial.view)
}

function testimonialsOn(content: SiteContent, { key }: Page, entry: Entry | undefined): TestimonialView[] {
  const [kind, id, placeId] = key.split(':')
  if (key === fixedKey('/')) return testimonialsFor(content, { count: HOME_TESTIMONIALS })
  const service = content.services.get(Number(id))
  if (!service) return []
  const place = content.locations.byId.get(Number(placeId))
  if (kind === 'place' && place)
    return testimonialsHere(content, { service, place, own: entry?.data.local_testimonials })
  return kind === 'entry'
    ? testimonialsFor(content, { service: service.slug, count: SHOWN_TESTIMONIALS })
    : []
}
