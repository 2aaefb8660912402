import type { Db } from '../../db/schema.ts'
import type { Saving } from '../../versions/version.ts'
import { entriesOf } from '../meanings/meaning.ts'
import { SERVICES } from '../types/builtin/slugs.ts'
import { alignLocationServiceSlugs } from './location-service-store.ts'
import { offeredIn, offerIn } from './offer-service.ts'
import { renamePlaceInPattern } from './offered-in.ts'

/** Updates the location services of a place whose slug changed, and the services offered there. */
export async function followPlace(
  db: Db,
  { id, from, to }: { id: number; from: string; to: string },
  saving: Saving,
): Promise<void> {
  await alignLocationServiceSlugs(db, { locationId: id }, saving)
  for (const service of await entriesOf(db, SERVICES)) {
    const renamed = offeredIn(service).map((pattern) => renamePlaceInPattern(pattern, { from, to }))
    await offerIn(db, service, renamed, saving)
  }
}
