import type { Db } from '../../db/schema.ts'
import { findEntryById } from '../entry-lookup-store.ts'
import type { EntryValues } from '../entry-store.ts'
import { loadPlaces } from './load-places.ts'
import { offeredIn } from './offer-service.ts'
import { expandOfferedIn } from './offered-in.ts'

const OF_THE_PAIR = new Set(['service_entry_id', 'location_term_id'])

/** Whether a location service has nothing of its own: all it shows comes from its service and its place (§2.9 rule 5). */
export function hasNothingOwn(values: EntryValues): boolean {
  const { title, body, status, data, publishAt, unpublishAt, redirectFrom } = values
  return (
    title === '' &&
    body === '' &&
    status === 'published' &&
    Object.keys(data).every((key) => OF_THE_PAIR.has(key)) &&
    !publishAt &&
    !unpublishAt &&
    !redirectFrom?.length
  )
}

/** The same, and a pattern of its service makes it: then it needs no row that a person wrote. */
export async function inheritsAll(db: Db, values: EntryValues): Promise<boolean> {
  if (!hasNothingOwn(values)) return false
  const service = await findEntryById(db, Number(values.data.service_entry_id))
  const { terms } = expandOfferedIn(service ? offeredIn(service) : [], await loadPlaces(db))
  return terms.some(({ id }) => id === values.data.location_term_id)
}
