import type { Db } from '../../db/schema.ts'
import { listPlaceLines, listServicesById } from '../search/names-store.ts'
import { findLastPlaceName } from './last-name-store.ts'
import type { Report } from './load-report.ts'
import { idOfKey } from './result-keys.ts'

/** Names of the services and places in a report, by key: a place with those above it, itself first. */
export interface ResultNames {
  services: ReadonlyMap<string, string>
  places: ReadonlyMap<string, readonly string[]>
}

/**
 * Names what a report is about as it is called today, a place that was deleted as its last lead calls it. What has no
 * name any more is left out.
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
        // Also of sums that are not brought over yet.
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
