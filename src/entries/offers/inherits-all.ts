import type { Db } from '../../db/schema.ts'
import { findEntryById } from '../entry-lookup-store.ts'
import { type Entry, type EntryValues, replaceEntryTerms, updateEntry } from '../entry-store.ts'
import { loadPlaces } from './load-places.ts'
import { offeredIn } from './offer-service.ts'
import { expandOfferedIn } from './offered-in.ts'

const OF_THE_PAIR = new Set(['service_entry_id', 'location_term_id'])

/**
 * Returns whether a location service has no content of its own: everything it shows comes from its service and place
 * (§2.9 rule 5).
 */
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

/** Returns whether, in addition, a pattern of its service generates it, so that it needs no hand-written row. */
export async function inheritsAll(db: Db, values: EntryValues): Promise<boolean> {
  return hasNothingOwn(values) && isOffered(db, values.data)
}

/** Returns whether a pattern of its service includes the location service's place. */
export async function isOffered(db: Db, data: EntryValues['data']): Promise<boolean> {
  const service = await findEntryById(db, Number(data.service_entry_id))
  const { terms } = expandOfferedIn(service ? offeredIn(service) : [], await loadPlaces(db))
  return terms.some(({ id }) => id === data.location_term_id)
}

/** Removes all of a location service's own content, including its terms. */
export async function takeAllOwn(
  db: Db,
  { id, typeId, data, isGenerated }: Pick<Entry, 'id' | 'typeId' | 'data' | 'isGenerated'>,
  clock: { now: string },
): Promise<void> {
  const { service_entry_id, location_term_id } = data
  const timing = { publishAt: null, unpublishAt: null, redirectFrom: [] }
  const pair = { data: { service_entry_id, location_term_id }, isGenerated }
  await updateEntry(db, id, { title: '', status: 'published', body: '', ...pair, ...timing }, clock)
  await replaceEntryTerms(db, typeId, new Map([[id, []]]))
}
