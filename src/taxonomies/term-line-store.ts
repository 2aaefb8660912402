import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'

/** Returns a term and its ancestors, root first: country, state, city. Empty if there is no such term. */
export async function findTermLine(db: Db, termId: number): Promise<{ slug: string; name: string }[]> {
  const { rows } = await sql<{ slug: string; name: string }>`
    with recursive line (id, parent_id, slug, name, height) as (
      select id, parent_id, slug, name, 0 from taxonomy_terms where id = ${termId}
      union
      select term.id, term.parent_id, term.slug, term.name, line.height + 1
      from taxonomy_terms term join line on term.id = line.parent_id
    )
    select slug, name from line order by height desc`.execute(db)
  return rows
}
