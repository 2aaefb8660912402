import type { Db } from '../../db/schema.ts'
import type { FormField } from '../../forms/form.ts'
import { listServicesByTitle } from '../../submissions/search/names-store.ts'
import { listPlaces } from '../../taxonomies/taxonomy-store.ts'
import { kindOfField } from './rule-names.ts'

/** Maximum number of suggestions of each kind. */
const MAX_CHOICES = 1_000

/** Lists what rules about places and services suggest: names, or slugs where several share a name. */
export async function listRuleChoices(db: Db): Promise<Record<'place' | 'service', string[]>> {
  return {
    place: toChoices(await listPlaces(db, { limit: MAX_CHOICES })),
    service: toChoices(await listServicesByTitle(db, { limit: MAX_CHOICES })),
  }
}

/** Returns the suggestions for the values of a field, as the end of their list’s ID; undefined if it has none. */
export function suggestionsOf(field: string, fields: readonly FormField[]): string | undefined {
  const hasChoices = fields.some(({ name, options }) => name === field && options.length > 0)
  return hasChoices ? `answer-${field}` : kindOfField(field)
}

function toChoices(list: readonly { slug: string; name: string }[]): string[] {
  const sharing = Map.groupBy(list, ({ name }) => name)
  return list.map(({ slug, name }) => (sharing.get(name)?.length === 1 ? name : slug))
}
