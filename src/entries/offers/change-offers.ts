import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { offerPlanTexts } from '../../messages/admin/coverage.ts'
import type { AdminFault } from '../../messages/admin/problems.ts'
import type { TermNode, TermTree } from '../../taxonomies/term-tree.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import type { Saver, Saving } from '../../versions/version.ts'
import { findAddressProblem } from '../addresses/check-address.ts'
import { listEntriesById } from '../entry-lookup-store.ts'
import { deleteEntries, type Entry } from '../entry-store.ts'
import { LOCATION_SERVICES, SERVICES } from '../types/builtin/slugs.ts'
import { type ContentType, findContentType } from '../types/content-type-store.ts'
import { loadPlaces } from './load-places.ts'
import { listOffersOfService, type Offer } from './location-service-store.ts'
import { offeredIn, offerIn, reconcileService } from './offer-service.ts'
import { expandOfferedIn, placesOf, type Reach, withOffer, withoutOffer } from './offered-in.ts'

/** Offers services in a branch of places, or removes them from it. */
export interface OfferChange {
  change: 'add' | 'remove'
  serviceIds: number[]
  placeId: number
  reach: Reach
  /** When removing: whether customized pages are removed too. */
  removesWritten: boolean
}

/** The planned change to one service. */
interface ServiceOfferPlan {
  service: Entry
  /** The places that gain a page, and those that lose one. */
  appear: TermNode[]
  vanish: TermNode[]
  /** Pages in the branch that stay although the service is removed, because they are customized. */
  staying: Offer[]
  patterns: { before: string[]; after: string[] }
}

export interface OfferPlan {
  place: TermNode
  services: ServiceOfferPlan[]
  /** Number of pages of all services. */
  appear: number
  vanish: number
  staying: number
  /** Reason why it can't be done: another page has the address. */
  taken: AdminFault | undefined
}

/** Plans a change without writing anything; undefined if the place or all services are unknown. */
export async function planOfferChange(db: Db, change: OfferChange): Promise<OfferPlan | undefined> {
  const tree = await loadPlaces(db)
  const place = tree.byId.get(change.placeId)
  const type = await findContentType(db, SERVICES)
  const entries = [...(await listEntriesById(db, change.serviceIds)).values()]
  const services = entries.filter(({ typeId }) => typeId === type?.id)
  if (!place || services.length === 0) return undefined
  const plans: ServiceOfferPlan[] = []
  for (const service of services) {
    plans.push(planService(service, await listOffersOfService(db, service.id), { change, place, tree }))
  }
  const total = (count: (plan: ServiceOfferPlan) => number) =>
    plans.reduce((sum, plan) => sum + count(plan), 0)
  const added = plans.flatMap(({ service, appear }) => appear.map(({ slug }) => `${service.slug}/${slug}`))
  const pairs = await findContentType(db, LOCATION_SERVICES)
  return {
    place,
    services: plans,
    appear: total(({ appear }) => appear.length),
    vanish: total(({ vanish }) => vanish.length),
    staying: total(({ staying }) => staying.length),
    taken: pairs && (await findAddressProblem(db, pairs, added)),
  }
}

/**
 * Carries out a change by rewriting the services' patterns (contract §3). It survives the next sync unless the
 * service's file changed too, which makes a conflict for a person to resolve. Undefined as above; does nothing if an
 * address is taken.
 */
export function changeOffers(
  db: Kysely<Schema>,
  change: OfferChange,
  { now, by }: { now: Date; by?: Saver | undefined },
): Promise<OfferPlan | undefined> {
  return changeContent(db, async (trx) => {
    const plan = await planOfferChange(trx, change)
    const pairs = await findContentType(trx, LOCATION_SERVICES)
    if (!plan || !pairs) return undefined
    if (plan.taken !== undefined) return plan
    const context = { pairs, tree: await loadPlaces(trx), now: now.toISOString(), by }
    for (const one of plan.services) await applyToService(trx, one, change, context)
    return plan
  })
}

function planService(
  service: Entry,
  offers: readonly Offer[],
  { change, place, tree }: { change: OfferChange; place: TermNode; tree: TermTree },
): ServiceOfferPlan {
  const before = offeredIn(service)
  const rewrite = change.change === 'add' ? withOffer : withoutOffer
  const after = rewrite(before, { term: place, reach: change.reach }, tree)
  const wanted = new Set(expandOfferedIn(after, tree).terms)
  const there = new Map(offers.map((offer) => [offer.locationId, offer]))
  const goes = goesWith(change, placesOf(place, change.reach))
  const inBranch = new Set(placesOf(place, change.reach).map(({ id }) => id))
  return {
    service,
    appear: [...wanted].filter(({ id }) => !there.has(id)),
    vanish: offers
      .filter((offer) => goes(offer) || (offer.isGenerated && !wanted.has(nodeOf(offer, tree))))
      .map((offer) => nodeOf(offer, tree)),
    staying:
      change.change === 'remove'
        ? offers.filter((offer) => !offer.isGenerated && inBranch.has(offer.locationId) && !goes(offer))
        : [],
    patterns: { before, after },
  }
}

function goesWith({ change, removesWritten }: OfferChange, places: readonly TermNode[]) {
  const ids = new Set(places.map(({ id }) => id))
  return ({ isGenerated, locationId }: Offer) =>
    change === 'remove' && removesWritten && !isGenerated && ids.has(locationId)
}

function nodeOf({ locationId }: Offer, tree: TermTree): TermNode {
  const node = tree.byId.get(locationId)
  if (!node) throw new Error(`The place ${locationId} of a location service is gone`)
  return node
}

async function applyToService(
  db: Db,
  { service, patterns, vanish }: ServiceOfferPlan,
  change: OfferChange,
  context: { pairs: ContentType; tree: TermTree } & Saving,
): Promise<void> {
  const changed = await offerIn(db, service, patterns.after, context)
  if (change.removesWritten) {
    const gone = new Set(vanish.map(({ id }) => id))
    const offers = await listOffersOfService(db, service.id)
    const ids = offers.filter(({ locationId }) => gone.has(locationId)).map(({ id }) => id)
    await deleteEntries(db, ids)
  }
  await reconcileService(db, changed, context)
}

/** Describes the change: `Offer AC repair in all of Texas`. */
export function describeOfferPlan({ change, reach }: OfferChange, { place, services }: OfferPlan): string {
  const names = services.map(({ service }) => service.title).join(', ')
  const where = {
    place: place.name,
    below: offerPlanTexts.nextLevel(place.name),
    branch: offerPlanTexts.wholeBranch(place.name),
  }
  return change === 'add'
    ? offerPlanTexts.offer(names, where[reach])
    : offerPlanTexts.withdraw(names, where[reach])
}
