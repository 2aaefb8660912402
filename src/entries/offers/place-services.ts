import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { findOutdated, type Outcome, versionOf } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import type { TermNode, TermTree } from '../../taxonomies/term-tree.ts'
import type { Saving } from '../../versions/version.ts'
import { unlessTaken } from '../addresses/check-address.ts'
import type { SavingEntry } from '../editing/save-entry.ts'
import type { Entry } from '../entry-store.ts'
import { entriesOf } from '../meanings/meaning.ts'
import { LOCATION_SERVICES, SERVICES } from '../types/builtin/slugs.ts'
import { type ContentType, findContentType } from '../types/content-type-store.ts'
import type { OfferCounts } from './follow-offers.ts'
import { loadPlaces } from './load-places.ts'
import { offeredIn, offerIn, reconcileService } from './offer-service.ts'
import { includesPlace, withOffer, withoutOffer } from './offered-in.ts'

/** A service, and whether its patterns include a place. */
interface PlaceService {
  service: Entry
  isOffered: boolean
}

/** Lists all services with whether each is offered in a place itself. */
export async function listPlaceServices(db: Db, place: TermNode): Promise<PlaceService[]> {
  const services = await entriesOf(db, SERVICES)
  return services.map((service) => ({ service, isOffered: includesPlace(offeredIn(service), place) }))
}

/** Returns a text that differs whenever other services are offered in the place. */
export function placeServicesVersion(services: readonly PlaceService[]): string {
  return versionOf(services.flatMap(({ service, isOffered }) => (isOffered ? [service.id] : [])))
}

interface Choice {
  placeId: number
  serviceIds: readonly number[]
  /** The `placeServicesVersion` that the person saw. */
  basedOn?: string | undefined
}

/**
 * Offers these services, and no others, in a place itself, by changing the patterns of each service. Customized local
 * pages stay.
 */
export function choosePlaceServices(
  db: Kysely<Schema>,
  { placeId, serviceIds, basedOn }: Choice,
  { now, by }: SavingEntry,
): Promise<Outcome<OfferCounts, AdminProblem>> {
  return unlessTaken(db, async (trx) => {
    const tree = await loadPlaces(trx)
    const term = tree.byId.get(placeId)
    const pairs = await findContentType(trx, LOCATION_SERVICES)
    if (!term || !pairs) return { kind: 'not_found' }
    const services = await listPlaceServices(trx, term)
    const outdated = findOutdated(placeServicesVersion(services), basedOn)
    if (outdated) return outdated
    const context = { pairs, tree, now: now.toISOString(), by }
    const counts = { added: 0, removed: 0 }
    for (const { service, isOffered } of services) {
      const isWanted = serviceIds.includes(service.id)
      if (isWanted === isOffered) continue
      const { added, removed } = await offerAt(trx, service, { term, isWanted }, context)
      counts.added += added
      counts.removed += removed
    }
    return { kind: 'saved', value: counts }
  })
}

async function offerAt(
  db: Db,
  service: Entry,
  { term, isWanted }: { term: TermNode; isWanted: boolean },
  context: { pairs: ContentType; tree: TermTree } & Saving,
): Promise<OfferCounts> {
  const rewrite = isWanted ? withOffer : withoutOffer
  const patterns = rewrite(offeredIn(service), { term, reach: 'place' }, context.tree)
  return reconcileService(db, await offerIn(db, service, patterns, context), context)
}
