import type { Db } from '../../db/schema.ts'
import type { Submission } from '../submission.ts'
import type { InboxFilter } from './inbox-filter.ts'
import { findPlacesBeside } from './inbox-store.ts'

/** The leads next to one in a list. */
export interface Neighbors {
  newer: number | undefined
  older: number | undefined
}

/**
 * Finds the leads before and after one among those that match the filter, whether or not it matches itself. Returns
 * none for a search, where the next match may be thousands of leads away.
 */
export async function findNeighbors(
  db: Db,
  { id, submittedAt }: Pick<Submission, 'id' | 'submittedAt'>,
  filter: InboxFilter,
): Promise<Neighbors> {
  if (filter.search || filter.location) return { newer: undefined, older: undefined }
  const { newer, older } = await findPlacesBeside(db, filter, { id, submittedAt })
  return { newer: newer?.id, older: older?.id }
}
