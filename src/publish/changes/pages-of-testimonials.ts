import type { Db } from '../../db/schema.ts'
import type { Entry } from '../../entries/entry-store.ts'
import { listEntryIdsWithTestimonials, listPairsOfServices } from '../../entries/offers/place-pair-store.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import { SHOWN_TESTIMONIALS as count, testimonialsFor } from '../../site/content/testimonials.ts'

/** Returns the IDs of the services and local pages that may show one of these testimonials. */
export async function listEntryIdsShowing(
  db: Db,
  content: SiteContent,
  testimonials: readonly Entry[],
): Promise<number[]> {
  const views = new Set(testimonials.flatMap(({ id }) => content.testimonials.get(id)?.view ?? []))
  const shows = (wanted: Omit<Parameters<typeof testimonialsFor>[1], 'count'>) =>
    testimonialsFor(content, { ...wanted, count }).some((view) => views.has(view))
  const services = [...content.services.values()]
  const pairs = await listPairsOfServices(
    db,
    services.map(({ id }) => id),
    content.shownAt,
  )
  const local = pairs.filter(({ serviceId, locationId }) => {
    const service = content.services.get(serviceId)
    const place = content.locations.byId.get(locationId)
    return service && place && shows({ service: service.slug, place })
  })
  return [
    ...services.filter(({ slug }) => shows({ service: slug })).map(({ id }) => id),
    ...local.map(({ id }) => id),
    ...(await listEntryIdsWithTestimonials(db, content.shownAt)),
  ]
}
