import type { Db } from '../../db/schema.ts'
import type { EntrySnapshot } from '../../entries/history/entry-snapshot.ts'
import { offeredIn } from '../../entries/offers/offer-service.ts'
import { withLiveRecord } from '../../publish/pending/live-record.ts'
import { openOffers } from '../../publish/states/unseen-offers.ts'

/**
 * Returns a service's content with the live place patterns if visitors see the same places with the new ones, and
 * otherwise without patterns about places that they don't see.
 */
export function withSeenOffers(
  { db, dataDir }: { db: Db; dataDir: string },
  { id, live, content }: { id: number; live: unknown; content: unknown },
): Promise<unknown> {
  const [shown, saved] = [live as EntrySnapshot, content as EntrySnapshot]
  const patterns = { serviceId: id, before: offeredIn(shown), after: offeredIn(saved) }
  if (patterns.before.join('\n') === patterns.after.join('\n')) return Promise.resolve(content)
  return withLiveRecord(dataDir, async (site) => {
    if (!site) return content
    const offers = await openOffers(db, site, [id])
    const seen = offers.isSeen(patterns) ? offers.listSeen(patterns) : shown.data.offered_in
    return { ...saved, data: { ...saved.data, offered_in: seen } }
  })
}
