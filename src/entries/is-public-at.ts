import type { Entry } from './entry-store.ts'

/** Returns true if visitors see an entry at a time; the same rule as `isShownAt` for a row. */
export function isPublicAt(
  { status, publishAt, unpublishAt }: Pick<Entry, 'status' | 'publishAt' | 'unpublishAt'>,
  at: Date,
): boolean {
  const moment = at.toISOString()
  const isOn = (publishAt === null || publishAt <= moment) && (unpublishAt === null || unpublishAt > moment)
  return status === 'published' && isOn
}
