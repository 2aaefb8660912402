import type { Entry } from '../../entries/entry-store.ts'
import { isPublicAt } from '../../entries/is-public-at.ts'

/**
 * The state of an entry shown in the admin. Three of them change at the next publish: `changed` (visitors see an
 * older version), `pending` (not yet on the site), and `removal` (still on the site). Where the live release is
 * unknown, all three are `published`.
 */
export type EntryState =
  | 'live'
  | 'changed'
  | 'pending'
  | 'removal'
  | 'scheduled'
  | 'ended'
  | 'draft'
  | 'published'

/** The options of a filter by state. `pending` includes everything that the next publish changes. */
export const STATE_FILTERS = ['live', 'pending', 'scheduled', 'draft'] as const
export type StateFilter = (typeof STATE_FILTERS)[number]

/** Facts about an entry from the live release and the change log. */
export interface LiveFacts {
  /** Undefined if the live release is unknown. */
  isLive: boolean | undefined
  /** True if saved since the live release. */
  isChanged: boolean
}

/** Returns the state of an entry at a time. Every screen that shows a state uses it. */
export function stateOf(
  entry: Pick<Entry, 'status' | 'publishAt' | 'unpublishAt'>,
  { isLive, isChanged }: LiveFacts,
  now: Date,
): EntryState {
  const isShown = isPublicAt(entry, now)
  if (isLive && !isShown) return 'removal'
  if (isLive) return isChanged ? 'changed' : 'live'
  if (entry.status === 'draft') return 'draft'
  if (!isShown) return entry.publishAt !== null && entry.publishAt > now.toISOString() ? 'scheduled' : 'ended'
  return isLive === undefined ? 'published' : 'pending'
}
