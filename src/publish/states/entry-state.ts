import type { Entry } from '../../entries/entry-store.ts'
import { isPublicAt } from '../../entries/is-public-at.ts'

/**
 * The visible state of an entry. Three of them change at the next publish: `changed` (visitors see an older version),
 * `pending` (not yet on the site), and `removal` (still on the site). `published` is all that is known where the live
 * release is not.
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

/** The choices of a filter by state. `pending` is everything that the next publish changes. */
export const STATE_FILTERS = ['live', 'pending', 'scheduled', 'draft'] as const
export type StateFilter = (typeof STATE_FILTERS)[number]

/** Facts about an entry from the live release and the log of changes. */
export interface LiveFacts {
  /** Undefined where the live release is not known. */
  isLive: boolean | undefined
  /** Saved since the live release. */
  isChanged: boolean
}

/** Returns the state of an entry at a moment. Every screen that shows a state gets it from here. */
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
