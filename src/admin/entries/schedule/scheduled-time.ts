import type { Entry } from '#src/entries/entry-store.ts'

/** Returns when a save of these values makes them live by itself, as UTC text; undefined if it doesn't. */
export function scheduledTime(
  { status, publishAt }: Pick<Entry, 'status' | 'publishAt'>,
  now: Date,
): string | undefined {
  // An invalid time is kept as it was typed.
  if (status !== 'published' || !publishAt?.endsWith('Z')) return undefined
  return publishAt > now.toISOString() ? publishAt : undefined
}
