import type { OfferCounts } from '../../entries/offers/follow-offers.ts'

/** ` 3 pages of services appear and 2 go with the next publish.` Empty when none does. */
export function describeOffers({ added, removed }: OfferCounts): string {
  const parts = [added > 0 && `${pages(added)} appear`, removed > 0 && `${pages(removed)} go`].filter(Boolean)
  return parts.length === 0 ? '' : ` ${parts.join(' and ')} with the next publish.`
}

function pages(count: number): string {
  return count === 1 ? '1 page of a service' : `${count} pages of services`
}
