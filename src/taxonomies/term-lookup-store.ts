import type { Db } from '../db/schema.ts'
import { chunksOf } from '../lib/in-parts.ts'

/** The names of these terms of any taxonomy, by ID; one that is gone has none. */
export async function listTermNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  for (const chunk of chunksOf(ids)) {
    const rows = await db
      .selectFrom('taxonomy_terms')
      .select(['id', 'name'])
      .where('id', 'in', chunk)
      .execute()
    for (const { id, name } of rows) names.set(id, name)
  }
  return names
}
