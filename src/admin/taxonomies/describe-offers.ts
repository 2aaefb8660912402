import type { Db } from '../../db/schema.ts'
import { listPagesAddedAt } from '../../entries/entry-lookup-store.ts'
import type { OfferCounts } from '../../entries/offers/follow-offers.ts'
import { localPageTexts } from '../../messages/admin/terms.ts'
import type { Next } from '../kit/page-context.ts'

const LINKED = 5

/**
 * Describes local pages that came and went at a time: ` 3 local pages added, 2 local pages removed. Publish to update the
 * site.` Links to new ones, which have no text yet. The text is empty if nothing changes.
 */
export async function describeOffers(
  db: Db,
  { added, removed }: OfferCounts,
  now: Date,
): Promise<Pick<Next, 'text' | 'links'>> {
  if (added === 0 && removed === 0) return { text: '' }
  const parts = { added: localPageTexts.added(added), removed: localPageTexts.removed(removed) }
  if (added === 0) return { text: localPageTexts.sentence(parts.removed) }
  const text = localPageTexts.sentence(
    removed === 0 ? parts.added : localPageTexts.both(parts.added, parts.removed),
  )
  const pages = await listPagesAddedAt(db, now.toISOString(), { limit: LINKED })
  const links = pages.map(({ id, type, name }) => ({ label: name, href: `/admin/entries/${type}/${id}` }))
  return links.length > 0 ? { text: text + localPageTexts.needText, links } : { text }
}
