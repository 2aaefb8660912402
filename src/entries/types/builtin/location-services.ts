import type { Db } from '#src/db/schema.ts'
import { entryRemovalTexts } from '#src/messages/admin/entries.ts'
import { pictureTexts } from '#src/messages/admin/entry-problems.ts'
import type { Saving } from '#src/versions/version.ts'
import { findEntryById } from '../../entry-lookup-store.ts'
import { type Entry, findEntryIds } from '../../entry-store.ts'
import { advanced, locationId, phone, sections, serviceId, testimonialIds } from '../../meanings/meanings.ts'
import { inheritsAll, takeAllOwn } from '../../offers/inherits-all.ts'
import { loadPlaces } from '../../offers/load-places.ts'
import { offeredIn, offerIn } from '../../offers/offer-service.ts'
import { withoutOffer } from '../../offers/offered-in.ts'
import { findContentType } from '../content-type-store.ts'
import { LOCATION_SERVICES, SERVICES, TESTIMONIALS } from './slugs.ts'
import type { EntryOfFile, TypeRules } from './type-rules.ts'

/** Services in places. Each inherits from its service and place what it doesn't define itself. */
export const locationServices: TypeRules = {
  slug: LOCATION_SERVICES,
  noun: 'entry',
  meanings: {
    service_entry_id: serviceId,
    location_term_id: locationId,
    local_testimonials: testimonialIds,
    phone,
    map_embed_url: advanced,
    hero: pictureTexts.hero,
    gallery: pictureTexts.gallery,
    before_picture: pictureTexts.before,
    after_picture: pictureTexts.after,
    sections: sections('location_service'),
  },
  route: '/services/{service_slug}/{location_slug}',
  inherits: {
    of: SERVICES,
    placeKey: 'location_term_id',
    slugOf: async (db, data) => {
      const { service, place } = await findPair(db, data)
      return service && place ? `${service.slug}/${place.slug}` : ''
    },
    isWhole: inheritsAll,
    // It stays if its service is still offered there.
    release: (db, entry, clock) => takeAllOwn(db, { ...entry, isGenerated: true }, clock),
  },
  adminLink: { href: '/admin/coverage', to: 'coverage', from: 'list' },
  losesToo: entryRemovalTexts.losesOffer,
  dataOfFiles,
  beforeRemoval: stopOffering,
}

async function findPair(db: Db, { service_entry_id, location_term_id }: Entry['data']) {
  const id = Number(service_entry_id)
  const service = Number.isSafeInteger(id) ? await findEntryById(db, id) : undefined
  const places = await loadPlaces(db)
  return { service, places, place: places.byId.get(Number(location_term_id)) }
}

// Otherwise the next sync or the next change of the service would create the page again.
async function stopOffering(db: Db, { data }: Entry, clock: Saving): Promise<void> {
  const { service, place: term, places } = await findPair(db, data)
  if (!service || !term) return
  await offerIn(db, service, withoutOffer(offeredIn(service), { term, reach: 'place' }, places), clock)
}

async function dataOfFiles(db: Db, entries: readonly EntryOfFile[]) {
  const services = await idsBySlug(db, SERVICES, entries.map(serviceOf))
  const testimonials = await idsBySlug(db, TESTIMONIALS, entries.flatMap(testimonialsOf))
  const places = await loadPlaces(db)
  return (entry: EntryOfFile) => {
    const ids = testimonialsOf(entry).flatMap((slug) => testimonials.get(slug) ?? [])
    return {
      service_entry_id: services.get(serviceOf(entry)),
      location_term_id: places.bySlug.get(locationOf(entry))?.id,
      ...(ids.length === 0 ? {} : { local_testimonials: ids.join(',') }),
    }
  }
}

async function idsBySlug(db: Db, typeSlug: string, slugs: readonly string[]) {
  const type = await findContentType(db, typeSlug)
  if (!type) throw new Error(`There is no content type ${typeSlug}`)
  return findEntryIds(db, type.id, slugs)
}

function serviceOf({ slug }: EntryOfFile): string {
  return slug.slice(0, slug.indexOf('/'))
}

function locationOf({ slug }: EntryOfFile): string {
  return slug.slice(slug.indexOf('/') + 1)
}

function testimonialsOf({ fields }: EntryOfFile): string[] {
  return (fields.local_testimonials as string[] | undefined) ?? []
}
