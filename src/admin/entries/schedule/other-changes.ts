import type { Entry } from '#src/entries/entry-store.ts'
import { describeCause } from '#src/messages/admin/publish.ts'
import type { Publishing } from '#src/server/background/publishing.ts'

/** Changes that a manual publish would make besides one entry. */
export type OtherChanges =
  | { kind: 'none' }
  /** There are some; a background look finds out which. */
  | { kind: 'unknown' }
  | { kind: 'listed'; reasons: string[] }

/** The next moment at which an entry appears or goes; undefined without one. */
export function nextMoment(
  { status, publishAt, unpublishAt }: Pick<Entry, 'status' | 'publishAt' | 'unpublishAt'>,
  now: Date,
): { at: string; event: 'appears' | 'goes' } | undefined {
  if (status !== 'published') return undefined
  const text = now.toISOString()
  if (publishAt !== null && publishAt > text) return { at: publishAt, event: 'appears' }
  return unpublishAt !== null && unpublishAt > text ? { at: unpublishAt, event: 'goes' } : undefined
}

/** Lists what else is saved and not live, as far as the server knows; it looks in the background. */
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
