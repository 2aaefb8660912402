import type { Entry } from '#src/entries/entry-store.ts'
import { describeCause } from '#src/messages/admin/history/causes.ts'
import type { Publishing } from '#src/server/background/publishing.ts'

/** Changes besides one entry that a manual publish would make. */
export type OtherChanges =
  | { kind: 'none' }
  /** There are some; a background comparison finds out which. */
  | { kind: 'unknown' }
  | { kind: 'listed'; reasons: string[] }

/** The next time at which an entry is shown or hidden; undefined if there is none. */
export function nextMoment(
  { status, publishAt, unpublishAt }: Pick<Entry, 'status' | 'publishAt' | 'unpublishAt'>,
  now: Date,
): { at: string; event: 'appears' | 'goes' } | undefined {
  if (status !== 'published') return undefined
  const text = now.toISOString()
  if (publishAt !== null && publishAt > text) return { at: publishAt, event: 'appears' }
  return unpublishAt !== null && unpublishAt > text ? { at: unpublishAt, event: 'goes' } : undefined
}

/** Lists other saved changes that aren't live, as far as the server knows, and looks for more in the background. */
export function listOtherChanges(
  planner: Publishing['planner'],
  { id, path, isHeld }: { id: number; path: string | undefined; isHeld: boolean },
): OtherChanges {
  if (!planner.hasUnpublished() && !isHeld) return { kind: 'none' }
  planner.look()
  const look = planner.latest()
  if (look?.kind !== 'planned') return { kind: 'unknown' }
  const own = new Set([`service:${id}`, `service-text:${id}`, `testimonial:${id}`])
  const reasons = look.planned.plan.causes
    .filter(({ key, page }) => !own.has(key) && (page === undefined || page !== path))
    .map(describeCause)
  return reasons.length === 0 ? { kind: 'none' } : { kind: 'listed', reasons }
}
