import { sql } from 'kysely'
import { inScope, isNarrow, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'

const MOST = 200

/** Lists the source names of leads in alphabetical order, 200 at most, by stepping along the index. */
export async function listSources(db: Db, scope: LeadScope): Promise<string[]> {
  if (isNarrow(scope)) return listSourcesInScope(db, scope)
  const { rows } = await sql<{ name: string }>`with recursive found (name) as (
    select min(source) from form_submissions where source is not null
    union all
    select (select min(source) from form_submissions where source > found.name) from found
    where found.name is not null
  ) select name from found where name is not null limit ${MOST}`.execute(db)
  return rows.map(({ name }) => name)
}

async function listSourcesInScope(db: Db, scope: LeadScope): Promise<string[]> {
  const rows = await db
    .selectFrom('form_submissions')
    .select('source')
    .distinct()
    .where('source', 'is not', null)
    .where(inScope(db, scope))
    .orderBy('source')
    .limit(MOST)
    .execute()
  return rows.flatMap(({ source }) => source ?? [])
}
