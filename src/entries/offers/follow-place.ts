import type { Db } from '../../db/schema.ts'
import { listEntries, updateEntry } from '../entry-store.ts'
import { SERVICES } from '../types/builtin/slugs.ts'
import { findContentType } from '../types/content-type-store.ts'
import { alignLocationServiceSlugs } from './location-service-store.ts'
import { offeredIn } from './offer-service.ts'
import { renamePlaceInPattern } from './offered-in.ts'

/** Lets the location services of a place that has another slug now, and the services that are offered there, follow. */
export async function followPlace(
  db: Db,
  { id, from, to }: { id: number; from: string; to: string },
  { now }: { now: string },
): Promise<void> {
  await alignLocationServiceSlugs(db, { locationId: id }, { now })
  const services = await findContentType(db, SERVICES)
  for (const service of services ? await listEntries(db, services.id) : []) {
    const patterns = offeredIn(service)
    const renamed = patterns.map((pattern) => renamePlaceInPattern(pattern, { from, to }))
    if (renamed.join('\n') === patterns.join('\n')) continue
    await updateEntry(db, service.id, { ...service, data: { ...service.data, offered_in: renamed } }, { now })
  }
}
