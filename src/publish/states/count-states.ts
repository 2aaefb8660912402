import type { Db } from '../../db/schema.ts'
import { typeName } from '../../messages/admin/entries.ts'
import type { LiveSite } from './live-site.ts'
import { listPublishedAlone } from './state-filter-store.ts'
import { countUnsettled } from './state-store.ts'

/** A content type with the number of its entries in each state. */
export interface StateCounts {
  slug: string
  name: string
  live: number
  pending: number
  scheduled: number
  draft: number
  /** Number of drafts of entries that count in another state. */
  edited: number
}

// Later than any saved time.
const POSITION = { id: Number.MAX_SAFE_INTEGER, openSince: null, savedAt: '' }
const LAST = { position: POSITION, ahead: [], shownIds: [] }

/**
 * Counts each type's entries by state, in the order of the types, leaving out entries whose end date has passed. Also
 * counts the drafts of the settings, and says whether anything was saved since the live release.
 */
export async function countStates(
  db: Db,
  site: LiveSite | 'unknown' | undefined,
  { now }: { now: Date },
): Promise<{ types: StateCounts[]; settingsDrafts: number; isChanged: boolean }> {
  const isKnown = site !== undefined && site !== 'unknown'
  const since = isKnown ? { ...site, shownIds: await listPublishedAlone(db, site) } : undefined
  const unsettled = await countUnsettled(db, { now, since: since ?? { ...LAST, shownAt: now.toISOString() } })
  const types = unsettled.types.map(
    ({ slug, name: typed, published, draft, edited, pending, scheduled, ended }) => {
      const shown = published - scheduled - ended
      const unpublished = site === undefined ? shown : site === 'unknown' ? 0 : pending
      const name = typeName({ slug, name: typed })
      return { slug, name, live: shown - unpublished, pending: unpublished, scheduled, draft, edited }
    },
  )
  return { ...unsettled, types }
}
