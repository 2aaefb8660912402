import type { Db } from '../../db/schema.ts'
import { listPlaceLines, listServicesById } from '../search/names-store.ts'
import { findLastPlaceName } from './last-name-store.ts'
import type { Report } from './load-report.ts'
import { idOfKey } from './result-keys.ts'

/** Names of the services and places in a report, by key. A place comes with those above it, itself first. */
export interface ResultNames {
  services: ReadonlyMap<string, string>
  places: ReadonlyMap<string, readonly string[]>
}

/**
 * Finds the names for a report: current names, and for a deleted place the name in its last lead. Keys without any
 * name are missing.
 */
export async function nameResults(
  db: Db,
  { services, places }: Pick<Report, 'places'> & { services: Report['overTime'] },
): Promise<ResultNames> {
  const serviceKeys = services.map(({ subject }) => subject)
  const placeKeys = places.map(({ subject }) => subject)
  const called = await listServicesById(db, idsOf(serviceKeys))
  const lines = await listPlaceLines(db, idsOf(placeKeys))
  const names: ResultNames = {
    services: new Map(serviceKeys.flatMap((key) => named(key, called.get(idOfKey(key) ?? 0)?.name))),
    places: new Map(
      placeKeys.flatMap((key) => {
        const line = lines.get(idOfKey(key) ?? 0)
        // Includes sums that haven't been converted to IDs yet.
        const slugs = key.startsWith('#') ? undefined : key.replace('=', '').split('/').reverse()
        return named(key, line?.map(({ name }) => name) ?? slugs)
      }),
    ),
  }
  return { ...names, places: await withDeleted(db, placeKeys, names.places) }
}

async function withDeleted(
  db: Db,
  keys: readonly string[],
  names: ResultNames['places'],
): Promise<ResultNames['places']> {
  const all = new Map(names)
  for (const id of idsOf(keys.filter((key) => !names.has(key)))) {
    const name = await findLastPlaceName(db, id)
    if (name !== undefined) all.set(`#${id}`, [name])
  }
  return all
}

function named<Name>(key: string, name: Name | undefined): [string, Name][] {
  return name === undefined ? [] : [[key, name]]
}

function idsOf(keys: readonly string[]): number[] {
  return keys.flatMap((key) => idOfKey(key) ?? [])
}
