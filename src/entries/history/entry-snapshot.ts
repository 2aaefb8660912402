import type { Entry } from '../entry-store.ts'

/** All that a version says of an entry. Others are named by their IDs, which stay when those get another slug. */
export type EntrySnapshot = Omit<Entry, 'id' | 'typeId' | 'createdAt' | 'updatedAt'> & {
  /** Ascending. */
  termIds: number[]
}

/** Returns the version of an entry with these terms. */
export function toSnapshot(
  entry: Pick<Entry, keyof Omit<EntrySnapshot, 'termIds'>>,
  termIds: readonly number[],
): EntrySnapshot {
  const { slug, title, status, body, data, isGenerated, publishAt, unpublishAt, redirectFrom } = entry
  const values = { slug, title, status, body, data, isGenerated, publishAt, unpublishAt, redirectFrom }
  return { ...values, termIds: termIds.toSorted((a, b) => a - b) }
}
