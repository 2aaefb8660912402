import type { Db } from '../../db/schema.ts'
import { listEntriesById } from '../../entries/entry-lookup-store.ts'
import { listOffersAt } from '../../entries/offers/location-service-store.ts'
import { LOCATIONS } from '../../taxonomies/place-kind.ts'
import type { ContentChange } from '../changes/change-store.ts'
import type { Change } from './change-of.ts'
import type { NamedChange } from './describe-change.ts'

type Named = ContentChange & NamedChange & { change: Change }

/**
 * Returns the names of the services whose local pages are published with a new place, by the ID of the place. Leaves out
 * places where only new services are offered.
 */
export async function findOfferedServices(
  db: Db,
  changes: readonly Named[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const added = changes.filter(({ change }) => change === 'added')
  const places = added.filter(({ subject, ofSlug }) => subject === 'term' && ofSlug === LOCATIONS)
  const offers = await listOffersAt(
    db,
    places.map(({ subjectId }) => Number(subjectId)),
  )
  const services = await listEntriesById(
    db,
    offers.map(({ serviceId }) => serviceId),
  )
  // A new service is a change of its own.
  const isLive = (id: number) => !added.some((one) => one.subject === 'entry' && one.subjectId === `${id}`)
  return new Map(
    places.flatMap(({ subjectId }) => {
      const there = offers.filter(({ locationId }) => `${locationId}` === subjectId)
      const live = there.filter(({ serviceId }) => isLive(serviceId))
      if (live.length === 0 && there.length > 0) return []
      const offered = live.flatMap(({ serviceId }) => services.get(serviceId) ?? [])
      return [[subjectId, offered.filter(({ status }) => status === 'published').map(({ title }) => title)]]
    }),
  )
}
