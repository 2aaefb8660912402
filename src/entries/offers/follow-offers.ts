import type { Db } from '../../db/schema.ts'
import type { TermTree } from '../../taxonomies/term-tree.ts'
import { findEntryById } from '../entry-lookup-store.ts'
import type { Entry } from '../entry-store.ts'
import { entriesOf } from '../meanings/meaning.ts'
import { LOCATION_SERVICES, SERVICES } from '../types/builtin/slugs.ts'
import { findContentType } from '../types/content-type-store.ts'
import { loadPlaces } from './load-places.ts'
import type { Offer } from './location-service-store.ts'
import { offeredIn, reconcileService } from './offer-service.ts'
import { expandOfferedIn } from './offered-in.ts'
import { type GeneratedPage, insertRemovedPages } from './removed-page-store.ts'

/** Numbers of location pages that change. */
export interface OfferCounts {
  added: number
  removed: number
}

export const NO_OFFERS: Readonly<OfferCounts> = { added: 0, removed: 0 }

/**
 * Offers services in the places that their patterns match now; `before` is the earlier tree of places. Call it
 * inside the transaction that changed the tree, which it rolls back if another page has an address.
 */
export async function followTree(db: Db, before: TermTree, { now }: { now: string }): Promise<OfferCounts> {
  const pairs = await findContentType(db, LOCATION_SERVICES)
  const counts = { added: 0, removed: 0 }
  if (!pairs) return counts
  const tree = await loadPlaces(db)
  for (const service of await entriesOf(db, SERVICES)) {
    if (placeIds(service, before) === placeIds(service, tree)) continue
    const { added, removed } = await reconcileService(db, service, { pairs, tree, now })
    counts.added += added
    counts.removed += removed
  }
  return counts
}

/** Returns the generated ones of these local pages. */
export function listGenerated(offers: readonly Offer[]): GeneratedPage[] {
  return offers
    .filter(({ isGenerated }) => isGenerated)
    .map(({ id, serviceId, locationId }) => ({ id, serviceId, locationId }))
}

/**
 * Creates generated local pages again under their IDs, by which the live site knows them, where their services are
 * offered. If a service or place is still deleted, the IDs are kept for its return. Refused if another page has an
 * address. Call it inside a transaction.
 */
export async function putGeneratedBack(
  db: Db,
  pages: readonly GeneratedPage[],
  { now }: { now: string },
): Promise<void> {
  const pairs = pages.length > 0 ? await findContentType(db, LOCATION_SERVICES) : undefined
  if (!pairs) return
  await insertRemovedPages(db, pages)
  const tree = await loadPlaces(db)
  for (const serviceId of new Set(pages.map((page) => page.serviceId))) {
    const service = await findEntryById(db, serviceId)
    if (service) await reconcileService(db, service, { pairs, tree, now })
  }
}

function placeIds(service: Entry, tree: TermTree): string {
  const ids = expandOfferedIn(offeredIn(service), tree).terms.map(({ id }) => id)
  return ids.sort((a, b) => a - b).join()
}
