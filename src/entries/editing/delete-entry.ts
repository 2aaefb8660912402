import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { findEntryById, listTermIdsOfEntry } from '../entry-lookup-store.ts'
import { deleteEntries, type Entry, listEntries, listWrittenEntries, updateEntry } from '../entry-store.ts'
import { renameInTestimonials } from '../offers/follow-service.ts'
import { listOffersOfService } from '../offers/location-service-store.ts'
import { offeredIn } from '../offers/offer-service.ts'
import { withoutOffer } from '../offers/offered-in.ts'
import { findContentType, findContentTypeById } from '../types/content-type-store.ts'
import { LOCAL_TESTIMONIALS, LOCATION_SERVICES } from '../types/field-meaning.ts'
import { loadPlaces } from './resolve-references.ts'

/** What a deletion takes along, and what loses a mention of the entry. */
export interface Removal {
  entry: Entry
  typeSlug: string
  /** Of a service: its pages in places, and how many of these have texts of their own. */
  locationServices: { count: number; withOwnTexts: string[] }
  /** Of a service or a testimonial: entries that name it and will do so no more. */
  namedBy: Pick<Entry, 'id' | 'slug' | 'title'>[]
  /** Links to terms (§2.8). */
  termLinks: number
}

/** What goes when this entry goes; undefined when there is none. */
export async function planRemoval(db: Db, id: number): Promise<Removal | undefined> {
  const entry = await findEntryById(db, id)
  if (!entry) return undefined
  const typeSlug = (await findContentTypeById(db, entry.typeId))?.slug ?? ''
  const offers = typeSlug === 'services' ? await listOffersOfService(db, id) : []
  return {
    entry,
    typeSlug,
    locationServices: {
      count: offers.length,
      withOwnTexts: offers.filter(({ isGenerated }) => !isGenerated).map(({ slug }) => slug),
    },
    namedBy: await listNaming(db, typeSlug, entry),
    termLinks: (await listTermIdsOfEntry(db, id)).length,
  }
}

/**
 * Deletes an entry with all that `planRemoval` lists. A service whose page in a place is deleted is offered there no
 * more. False when there is no such entry.
 */
export function deleteEntry(db: Kysely<Schema>, id: number, { now }: { now: Date }): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const removal = await planRemoval(trx, id)
    if (!removal) return false
    await letGo(trx, removal, { now: now.toISOString() })
    await deleteEntries(trx, [id])
    return true
  })
}

async function letGo(db: Db, { entry, typeSlug, namedBy }: Removal, { now }: { now: string }): Promise<void> {
  if (typeSlug === 'services') {
    const offers = await listOffersOfService(db, entry.id)
    await deleteEntries(
      db,
      offers.map(({ id }) => id),
    )
    await renameInTestimonials(db, { from: entry.slug, to: undefined }, { now })
  }
  if (typeSlug === 'testimonials') {
    for (const { id } of namedBy) await dropTestimonial(db, id, entry.id, { now })
  }
  if (typeSlug === LOCATION_SERVICES) await stopOffering(db, entry, { now })
}

async function dropTestimonial(db: Db, id: number, testimonialId: number, { now }: { now: string }) {
  const entry = await findEntryById(db, id)
  if (!entry) return
  const { [LOCAL_TESTIMONIALS]: _, ...data } = entry.data
  const rest = testimonialIds(entry).filter((one) => one !== testimonialId)
  const list = rest.length > 0 ? { [LOCAL_TESTIMONIALS]: rest.join(',') } : {}
  await updateEntry(db, id, { ...entry, data: { ...data, ...list } }, { now })
}

// Otherwise the next sync, or the next change of the service, would make the page again.
async function stopOffering(db: Db, { data }: Entry, { now }: { now: string }): Promise<void> {
  const service = await findEntryById(db, Number(data.service_entry_id))
  const places = await loadPlaces(db)
  const term = places.byId.get(Number(data.location_term_id))
  if (!service || !term) return
  const before = offeredIn(service)
  const after = withoutOffer(before, { term, reach: 'place' }, places)
  if (after.join('\n') === before.join('\n')) return
  await updateEntry(db, service.id, { ...service, data: { ...service.data, offered_in: after } }, { now })
}

async function listNaming(db: Db, typeSlug: string, entry: Entry): Promise<Removal['namedBy']> {
  if (typeSlug === 'services') {
    const type = await findContentType(db, 'testimonials')
    const testimonials = type ? await listEntries(db, type.id) : []
    return testimonials.filter(({ data }) => data.service === entry.slug)
  }
  if (typeSlug !== 'testimonials') return []
  const type = await findContentType(db, LOCATION_SERVICES)
  const written = type ? await listWrittenEntries(db, type.id) : []
  return written.filter((one) => testimonialIds(one).includes(entry.id))
}

function testimonialIds({ data }: Entry): number[] {
  const list = data[LOCAL_TESTIMONIALS]
  return typeof list === 'string' ? list.split(',').map(Number) : []
}
