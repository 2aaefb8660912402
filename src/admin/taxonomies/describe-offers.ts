import type { OfferCounts } from '../../entries/offers/follow-offers.ts'
import { localPageTexts } from '../../messages/admin/terms.ts'

/** ` 3 local pages added, 2 local pages removed. Publish to update the site.` Empty when nothing changes. */
export function describeOffers({ added, removed }: OfferCounts): string {
  if (added === 0 && removed === 0) return ''
  const parts = { added: localPageTexts.added(added), removed: localPageTexts.removed(removed) }
  if (removed === 0) return localPageTexts.sentence(parts.added)
  return localPageTexts.sentence(
    added === 0 ? parts.removed : localPageTexts.both(parts.added, parts.removed),
  )
}
