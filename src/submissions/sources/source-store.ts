import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

const MOST = 200

/** Lists the names of sources that leads have, in the order of the alphabet, 200 at most. Steps along the index. */
export async function listSources(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`with recursive found (name) as (
    select min(source) from form_submissions where source is not null
    union all
    select (select min(source) from form_submissions where source > found.name) from found
    where found.name is not null
  ) select name from found where name is not null limit ${MOST}`.execute(db)
  return rows.map(({ name }) => name)
}
