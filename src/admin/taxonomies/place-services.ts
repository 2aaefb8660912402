import type { Db } from '../../db/schema.ts'
import { listOffersAt, type Offer } from '../../entries/offers/location-service-store.ts'
import { listPlaceServices, placeServicesVersion } from '../../entries/offers/place-services.ts'
import type { TermNode } from '../../taxonomies/term-tree.ts'

/** A service that a place's page offers to choose. */
export interface ShownPlaceService {
  id: number
  title: string
  isDraft: boolean
  isOffered: boolean
  /** Its local page in the place, if there is one. */
  page: Pick<Offer, 'id' | 'status'> | undefined
}

interface ShownPlaceServices {
  services: ShownPlaceService[]
  /** The version that the form is based on. */
  version: string
}

/** Returns the services to choose from for a place itself. */
export async function loadPlaceServices(db: Db, place: TermNode): Promise<ShownPlaceServices> {
  const listed = await listPlaceServices(db, place)
  const pages = new Map((await listOffersAt(db, [place.id])).map((offer) => [offer.serviceId, offer]))
  const services = listed.map(({ service: { id, title, status }, isOffered }) => ({
    ...{ id, title, isDraft: status === 'draft', isOffered, page: pages.get(id) },
  }))
  return { services, version: placeServicesVersion(listed) }
}
