import type { Db } from '../../db/schema.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { contentPanel } from '../../messages/admin/dashboard.ts'
import { listUnpublished, type SavedChanges } from '../../publish/pending/pending-changes.ts'
import { countStates, type StateCounts } from '../../publish/states/count-states.ts'
import { withLiveSite } from '../../publish/states/live-site.ts'

/** The site's content by kind and state. */
export interface ContentCounts {
  /** Content types. */
  types: StateCounts[]
  /** Settings, places, forms, and others with unpublished changes or a draft. */
  others: StateCounts[]
  /** Number of changes on the Publish screen; undefined if the live release is unknown. */
  unpublished: SavedChanges | undefined
}

const OTHERS = ['setting', 'term', 'form', 'picture', 'taxonomy', 'type'] as const
const NONE = { live: 0, pending: 0, scheduled: 0, draft: 0, edited: 0 }

/** Counts the entries of each type by state, and the unpublished changes and drafts of everything else. */
export async function countContent(db: Db, place: { dataDir: string; now: Date }): Promise<ContentCounts> {
  const { types, settingsDrafts, isChanged } = await withLiveSite(place.dataDir, (site) =>
    countStates(db, site, place),
  )
  const found = await listUnpublished(db, { ...place, isChanged })
  const others = OTHERS.map((slug) => ({
    ...{ ...NONE, slug, name: contentPanel.others[slug] },
    pending: found?.changes.filter(({ subject }) => subject === slug).length ?? 0,
    edited: slug === 'setting' ? settingsDrafts : 0,
  }))
  return {
    ...{
      types: types.map((type) => withUnseen(type, found?.unseen ?? 0)),
      others: others.filter(({ pending, edited }) => pending + edited > 0),
    },
    unpublished: found && { count: found.changes.length, hasMore: found.hasMore },
  }
}

// Services that changed only because a place was added count as live.
function withUnseen(type: StateCounts, unseen: number): StateCounts {
  if (!rulesOf(type.slug).parts) return type
  return { ...type, live: type.live + unseen, pending: type.pending - unseen }
}
