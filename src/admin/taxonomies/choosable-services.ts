import type { Db } from '../../db/schema.ts'
import { entriesOf } from '../../entries/meanings/meaning.ts'
import { offeredIn } from '../../entries/offers/offer-service.ts'
import { includesNewPlace } from '../../entries/offers/offered-in.ts'
import { SERVICES } from '../../entries/types/builtin/slugs.ts'
import { LOCATIONS } from '../../taxonomies/place-kind.ts'
import type { TermNode } from '../../taxonomies/term-tree.ts'
import type { FormValue } from '../kit/admin-form.ts'

/** A service that may be offered in new places. */
export interface ChoosableService {
  id: number
  title: string
  isChosen: boolean
}

interface Question {
  /** Slug of the taxonomy; only places have services. */
  taxonomy: string
  /** The place that contains the new ones. */
  parent: TermNode | undefined
  /** The posted IDs; without them, the services offered everywhere in the parent are chosen. */
  posted?: FormValue | undefined
}

/** Lists the services to choose from for new places. */
export async function listChoosableServices(
  db: Db,
  { taxonomy, parent, posted }: Question,
): Promise<ChoosableService[]> {
  if (taxonomy !== LOCATIONS) return []
  const services = await entriesOf(db, SERVICES)
  return services.map((service) => ({
    id: service.id,
    title: service.title,
    isChosen: posted
      ? posted.includes(String(service.id))
      : parent !== undefined && includesNewPlace(offeredIn(service), parent),
  }))
}
