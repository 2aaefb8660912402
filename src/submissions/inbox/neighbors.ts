import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { findLeadScope } from '../scope/scope-store.ts'
import { findPlaceIds } from '../search/find-places.ts'
import type { Submission } from '../submission.ts'
import { type Beside, findMatchesBeside, findPlacesBeside } from './beside-store.ts'
import type { InboxFilter } from './inbox-filter.ts'
import { loosen, readSearch } from './search-inbox.ts'

/**
 * Finds the leads before and after one among those that match the filter, whether or not it matches itself. Skips
 * leads of deleted places if the filter has a place.
 */
export async function findNeighbors(
  db: Db,
  { id, submittedAt }: Pick<Submission, 'id' | 'submittedAt'>,
  { location = '', ...filter }: InboxFilter,
): Promise<Beside> {
  const narrowed = { ...filter, scope: await within(db, filter.scope, location) }
  const search = await readSearch(db, narrowed)
  if (!search) return findPlacesBeside(db, narrowed, { id, submittedAt })
  const beside = await findMatchesBeside(db, narrowed, { ...search, id })
  if (beside.newer !== undefined || beside.older !== undefined) return beside
  const loose = await loosen(db, filter.scope, search)
  return loose ? findMatchesBeside(db, narrowed, { ...loose, id }) : beside
}

// By ID, not by the marks of the search index: a search for the marks of 400 places takes a second in the middle of a
// million leads.
async function within(db: Db, scope: LeadScope, location: string): Promise<LeadScope> {
  const meant = await findPlaceIds(db, location)
  if (meant === undefined) return scope
  const { places: below } = await findLeadScope(db, { places: meant, forms: null })
  const { places } = scope
  return { ...scope, places: (below ?? []).filter((id) => places === null || places.includes(id)) }
}
