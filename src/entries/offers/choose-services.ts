import type { Db } from '../../db/schema.ts'
import type { TermTree } from '../../taxonomies/term-tree.ts'
import type { Saving } from '../../versions/version.ts'
import { entriesOf } from '../meanings/meaning.ts'
import { SERVICES } from '../types/builtin/slugs.ts'
import { loadPlaces } from './load-places.ts'
import { offeredIn, offerIn } from './offer-service.ts'
import { withChoices } from './offered-in.ts'

/**
 * Changes the patterns of services so that these, and no others, are offered in the places added since `before`.
 * Call it before `followTree`.
 */
export async function chooseServices(
  db: Db,
  serviceIds: readonly number[],
  before: TermTree,
  saving: Saving,
): Promise<void> {
  const tree = await loadPlaces(db)
  const isNew = (id: number | null) => id !== null && !before.byId.has(id)
  const tops = [...tree.byId.values()].filter(({ id, parentId }) => isNew(id) && !isNew(parentId))
  for (const service of await entriesOf(db, SERVICES)) {
    const isOffered = serviceIds.includes(service.id)
    const choices = tops.map((term) => ({ term, reach: 'branch' as const, isOffered }))
    await offerIn(db, service, withChoices(offeredIn(service), choices, tree), saving)
  }
}
