import type { Entry } from '../entry-store.ts'

/** The content of an entry version. Its terms are IDs; other things may be named by a slug that they had then. */
export type EntrySnapshot = Omit<Entry, 'id' | 'typeId' | 'createdAt' | 'updatedAt'> & {
  /** Ascending. */
  termIds: number[]
}

/** Returns the version content of an entry with these terms. */
export function toSnapshot(
  entry: Pick<Entry, keyof Omit<EntrySnapshot, 'termIds'>>,
  termIds: readonly number[],
): EntrySnapshot {
  const { slug, title, status, body, data, isGenerated, publishAt, unpublishAt, redirectFrom } = entry
  const values = { slug, title, status, body, data, isGenerated, publishAt, unpublishAt, redirectFrom }
  return { ...values, termIds: termIds.toSorted((a, b) => a - b) }
}
