import type { Db } from '../../db/schema.ts'
import type { Saving } from '../../versions/version.ts'
import { refuseTakenAddresses } from '../addresses/check-address.ts'
import { findEntryById } from '../entry-lookup-store.ts'
import { type Entry, updateEntry } from '../entry-store.ts'
import { recordAround } from '../history/record-entry.ts'
import { entriesOf } from '../meanings/meaning.ts'
import { LOCATION_SERVICES, TESTIMONIALS } from '../types/builtin/slugs.ts'
import { findContentType } from '../types/content-type-store.ts'
import { loadPlaces } from './load-places.ts'
import { alignLocationServiceSlugs, listOffersOfService, publishedSlugs } from './location-service-store.ts'
import { offeredIn, reconcileService } from './offer-service.ts'

/** The types whose field `service` has the meaning of the same name. */
export const ABOUT_SERVICES: readonly string[] = [TESTIMONIALS]

/**
 * Updates the location services of a service that was just saved, and references to it by slug. Refused if another
 * page has an address.
 */
export async function followService(
  db: Db,
  { id, before }: { id: number; before: Entry | undefined },
  { now, by }: Saving,
): Promise<void> {
  const service = await findEntryById(db, id)
  const pairs = await findContentType(db, LOCATION_SERVICES)
  if (!service || !pairs) return
  if (before && before.slug !== service.slug) {
    await alignLocationServiceSlugs(db, { serviceId: id }, { now })
    await refuseTakenAddresses(db, pairs, publishedSlugs(await listOffersOfService(db, id)))
    await renameInEntries(db, { from: before.slug, to: service.slug }, { now, by })
  }
  if (before && offeredIn(before).join('\n') === offeredIn(service).join('\n')) return
  await reconcileService(db, service, { pairs, tree: await loadPlaces(db), now })
}

/** Lists the entries about a service. */
export async function listEntriesAbout(db: Db, { slug }: { slug: string }): Promise<Entry[]> {
  const entries = await Promise.all(ABOUT_SERVICES.map((type) => entriesOf(db, type)))
  return entries.flat().filter(({ data }) => data.service === slug)
}

/** Updates the entries about a service to its new slug, or to none. */
export async function renameInEntries(
  db: Db,
  { from, to }: { from: string; to: string | undefined },
  saving: Saving,
): Promise<void> {
  for (const entry of await listEntriesAbout(db, { slug: from })) {
    const { service: _, ...rest } = entry.data
    const renamed = { ...entry, data: to === undefined ? rest : { ...rest, service: to } }
    await recordAround(db, entry, () => updateEntry(db, entry.id, renamed, saving), saving)
  }
}
