import type { Db } from '../../db/schema.ts'
import { listOffersAt } from '../../entries/offers/location-service-store.ts'
import { listPlaceServices, placeServicesVersion } from '../../entries/offers/place-services.ts'
import type { TermNode, TermTree } from '../../taxonomies/term-tree.ts'

/** A service that a place's page offers to choose. */
export interface ShownPlaceService {
  id: number
  title: string
  isDraft: boolean
  isOffered: boolean
  /** The ID of its local page in the place, if there is one. */
  pageId: number | undefined
}

interface ShownPlaceServices {
  services: ShownPlaceService[]
  /** The version that the form is based on. */
  version: string
}

/** Returns the services to choose from for a place itself. */
export async function loadPlaceServices(
  db: Db,
  place: TermNode,
  tree: TermTree,
): Promise<ShownPlaceServices> {
  const listed = await listPlaceServices(db, place, tree)
  const pages = new Map((await listOffersAt(db, [place.id])).map(({ id, serviceId }) => [serviceId, id]))
  const services = listed.map(({ service: { id, title, status }, isOffered }) => ({
    ...{ id, title, isDraft: status === 'draft', isOffered, pageId: pages.get(id) },
  }))
  return { services, version: placeServicesVersion(listed) }
}
