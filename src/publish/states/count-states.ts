import type { Db } from '../../db/schema.ts'
import { listTypeCounts, type TypeCounts } from '../../entries/entry-list-store.ts'
import type { LiveSite } from './live-site.ts'
import { listPublishedAlone } from './state-filter.ts'
import { countUnsettled } from './state-store.ts'

/** A content type with the number of its entries in each state. */
export interface StateCounts extends Pick<TypeCounts, 'slug' | 'name'> {
  live: number
  pending: number
  scheduled: number
  draft: number
}

// After all that is ever saved.
const LAST = { position: { id: Number.MAX_SAFE_INTEGER, openSince: null }, publishedIds: [] }

/** Counts the entries of each type by state, in the order of the types; entries whose time is over are left out. */
export async function countStates(
  db: Db,
  site: LiveSite | 'unknown' | undefined,
  { now }: { now: Date },
): Promise<StateCounts[]> {
  const isKnown = site !== undefined && site !== 'unknown'
  const since = isKnown ? { ...site, publishedIds: await listPublishedAlone(db, site) } : undefined
  const unsettled = await countUnsettled(db, { now, since: since ?? { ...LAST, shownAt: now.toISOString() } })
  const byType = new Map(unsettled.map((one) => [one.typeId, one]))
  const kinds = await listTypeCounts(db)
  return kinds.map(({ id, slug, name, published, draft }) => {
    const { pending = 0, scheduled = 0, ended = 0 } = byType.get(id) ?? {}
    const shown = published - scheduled - ended
    if (site === undefined) return { slug, name, live: 0, pending: shown, scheduled, draft }
    const waiting = site === 'unknown' ? 0 : pending
    return { slug, name, live: shown - waiting, pending: waiting, scheduled, draft }
  })
}
