import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { listCalled } from '../search/names-store.ts'
import { findLastPlaceName } from './last-name-store.ts'
import type { Report, ReportRow } from './load-report.ts'
import { addUpPlaces, type PlaceRow } from './place-tree.ts'
import { idOfKey, keyOfId } from './result-keys.ts'

/** Finds the current names of the services in a report, by key. Deleted ones are missing. */
export async function nameServices(db: Db, services: readonly ReportRow[]): Promise<Map<string, string>> {
  const keys = services.map(({ subject }) => subject)
  const { services: called } = await listCalled(db, { services: idsOf(keys) })
  return new Map(
    keys.flatMap((key) => {
      const name = called.get(idOfKey(key) ?? 0)?.name
      return name === undefined ? [] : [[key, name]]
    }),
  )
}

/**
 * Lists the results of each place with the places below it, as a tree. A deleted place has the name of its last lead.
 * Places above the scope are named, but not listed.
 */
export async function listPlaceRows(
  db: Db,
  { places }: Pick<Report, 'places'>,
  scope: Pick<LeadScope, 'places'>,
): Promise<PlaceRow[]> {
  const keys = places.map(({ subject }) => subject)
  const { lines } = await listCalled(db, { places: idsOf(keys) })
  const named = new Map<string, { key: string; name: string }[]>()
  for (const key of keys) {
    const id = idOfKey(key)
    const line = lines.get(id ?? 0)?.map((place) => ({ key: keyOfId(place.id), name: place.name }))
    named.set(key, line ?? (await nameDeleted(db, key)).map((name) => ({ key, name })))
  }
  const seen = scope.places && new Set(scope.places.map(keyOfId))
  return addUpPlaces(places, {
    lines: named,
    isSeen: (key) => key.startsWith('#') && (seen?.has(key) ?? true),
  })
}

async function nameDeleted(db: Db, key: string): Promise<string[]> {
  const id = idOfKey(key)
  // Includes sums that haven't been converted to IDs yet.
  if (id === undefined) return key === '' ? [] : key.replace('=', '').split('/').reverse()
  const name = await findLastPlaceName(db, id)
  return name === undefined ? [] : [name]
}

function idsOf(keys: readonly string[]): number[] {
  return keys.flatMap((key) => idOfKey(key) ?? [])
}
