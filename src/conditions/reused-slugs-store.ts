import { z } from 'zod'
import type { Db } from '../db/schema.ts'
import { jsonColumn } from '../lib/json-column.ts'
import { slugsOfConditions } from './condition-slugs.ts'
import type { Condition } from './conditions.ts'

const slugsColumn = jsonColumn(z.array(z.string()))

/** A slug in a condition that another place had before. */
export interface ReusedSlug {
  slug: string
  /** Name of the place that has the slug now. */
  now: string
  /** Current name of the place that had it before. */
  before: string
}

/** Lists the slugs of conditions that belong to a place today and belonged to another one before. */
export async function listReusedSlugs(
  db: Db,
  conditions: readonly (Condition | null)[],
): Promise<ReusedSlug[]> {
  const slugs = slugsOfConditions(conditions).places
  if (slugs.length === 0) return []
  const places = db
    .selectFrom('taxonomy_terms as term')
    .innerJoin('taxonomies', 'taxonomies.id', 'term.taxonomy_id')
    .where('taxonomies.slug', '=', 'locations')
  const holders = await places
    .select(['term.id', 'term.slug', 'term.name'])
    .where('term.slug', 'in', slugs)
    .execute()
  const renamed = await places
    .innerJoin('former_names as former', 'former.term_id', 'term.id')
    .select(['term.id', 'term.name', 'former.slug'])
    .where('former.slug', 'in', slugs)
    .orderBy('former.id')
    .execute()
  const inFiles = await places
    .select(['term.id', 'term.name', 'term.former_slugs_json'])
    .where('term.former_slugs_json', 'is not', null)
    .execute()
  const named = inFiles.flatMap(({ id, name, former_slugs_json: json }) =>
    slugsColumn.decode(json ?? '[]').map((slug) => ({ id, name, slug })),
  )
  return holders.flatMap(({ id, slug, name: now }) => {
    const former = [...renamed, ...named].filter((one) => one.slug === slug && one.id !== id)
    return [...new Set(former.map(({ name }) => name))].map((before) => ({ slug, now, before }))
  })
}
