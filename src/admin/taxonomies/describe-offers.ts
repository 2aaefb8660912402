import type { OfferCounts } from '../../entries/offers/follow-offers.ts'
import { localPageTexts } from '../../messages/admin/terms.ts'

/**
 * Describes local pages that came and went: ` 3 local pages added, 2 local pages removed. Publish to update the site.`
 * Empty when nothing changes.
 */
export function describeOffers({ added, removed }: OfferCounts): string {
  if (added === 0 && removed === 0) return ''
  const parts = { added: localPageTexts.added(added), removed: localPageTexts.removed(removed) }
  if (added === 0) return localPageTexts.sentence(parts.removed)
  const counts = removed === 0 ? parts.added : localPageTexts.both(parts.added, parts.removed)
  return localPageTexts.sentence(counts) + localPageTexts.needText
}
