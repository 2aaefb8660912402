import type { Db } from '../../db/schema.ts'
import { listServicesByTitle } from '../../submissions/search/names-store.ts'
import { listPlaces } from '../../taxonomies/taxonomy-store.ts'

/** Maximum number of suggestions of each kind. */
const MAX_CHOICES = 1_000

/** Lists what rules about places and services suggest: names, or slugs where several share a name. */
export async function listRuleChoices(db: Db): Promise<Record<'place' | 'service', string[]>> {
  return {
    place: toChoices(await listPlaces(db, { limit: MAX_CHOICES })),
    service: toChoices(await listServicesByTitle(db, { limit: MAX_CHOICES })),
  }
}

function toChoices(list: readonly { slug: string; name: string }[]): string[] {
  const sharing = Map.groupBy(list, ({ name }) => name)
  return list.map(({ slug, name }) => (sharing.get(name)?.length === 1 ? name : slug))
}
