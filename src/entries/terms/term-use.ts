import type { Db } from '../../db/schema.ts'
import type { Taxonomy } from '../../taxonomies/taxonomy-store.ts'
import { countLinksOfTerms } from '../../taxonomies/term-change-store.ts'
import type { TermNode } from '../../taxonomies/term-tree.ts'
import { listWebhooksNaming } from '../../webhooks/definition/webhook-overview-store.ts'
import { listOffersAt, type Offer } from '../offers/location-service-store.ts'

/** Uses of a term, not counting terms below it. */
export interface TermUse {
  /** Links from entries to it. */
  links: number
  /** Location pages in this place. */
  locationServices: Offer[]
  /** Pages whose address contains its slug. */
  addresses: number
  /** Webhooks whose conditions contain its slug. */
  webhooks: { id: number; name: string; formSlug: string }[]
}

export async function findTermUse(db: Db, taxonomy: Taxonomy, term: TermNode): Promise<TermUse> {
  const isPlace = taxonomy.slug === 'locations'
  const locationServices = isPlace ? await listOffersAt(db, [term.id]) : []
  return {
    links: await countLinksOfTerms(db, [term.id]),
    locationServices,
    addresses: locationServices.length + (taxonomy.hasArchive ? 1 : 0),
    webhooks: isPlace ? await listWebhooksNaming(db, term.slug) : [],
  }
}
