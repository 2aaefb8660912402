import type { Db } from '../../db/schema.ts'
import { isPublicAt } from '../../entries/is-public-at.ts'
import { entriesOf } from '../../entries/meanings/meaning.ts'
import { loadPlaces } from '../../entries/offers/load-places.ts'
import { offeredIn, offerIn } from '../../entries/offers/offer-service.ts'
import { expandOfferedIn, type PlaceChoice, placesOf, withChoices } from '../../entries/offers/offered-in.ts'
import { SERVICES } from '../../entries/types/builtin/slugs.ts'
import type { TermNode, TermTree } from '../../taxonomies/term-tree.ts'

/**
 * Offers the live services in the places added since `before` as the saved services are. A pending change of where a
 * service is offered is published with the new places that it concerns, and only for them. Call it before
 * `followTree`.
 */
export async function takeCoverage(live: Db, db: Db, before: TermTree, { now }: { now: string }) {
  const tree = await loadPlaces(live)
  const isNew = (place: TermNode | null) => place !== null && !before.byId.has(place.id)
  const tops = [...tree.byId.values()].filter((place) => isNew(place) && !isNew(place.parent))
  if (tops.length === 0) return
  const places = await loadPlaces(db)
  const saved = new Map((await entriesOf(db, SERVICES)).map((service) => [service.id, service]))
  for (const service of await entriesOf(live, SERVICES)) {
    const known = saved.get(service.id)
    const patterns = known && isPublicAt(known, new Date(now)) ? offeredIn(known) : []
    const wanted = new Set(expandOfferedIn(patterns, places).terms.map(({ id }) => id))
    const choices = tops.flatMap((top) => choicesIn(top, { isNew, isWanted: ({ id }) => wanted.has(id) }))
    await offerIn(live, service, withChoices(offeredIn(service), choices, tree), { now })
  }
}

interface Choosing {
  isNew(place: TermNode): boolean
  isWanted(place: TermNode): boolean
}

// One choice for a branch that is new and the same throughout; places that were moved into it stay as they are.
function choicesIn(place: TermNode, choosing: Choosing): PlaceChoice[] {
  const { isNew, isWanted } = choosing
  if (!isNew(place)) return []
  const isOffered = isWanted(place)
  const isWhole = placesOf(place, 'branch').every((one) => isNew(one) && isWanted(one) === isOffered)
  if (isWhole) return [{ term: place, reach: 'branch', isOffered }]
  const own = { term: place, reach: 'place' as const, isOffered }
  return [own, ...place.children.flatMap((child) => choicesIn(child, choosing))]
}
