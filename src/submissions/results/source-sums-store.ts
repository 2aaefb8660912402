import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Db } from '../../db/schema.ts'
import { keyOfId } from './result-keys.ts'
import { listYears } from './subjects-store.ts'

/** Lists the sources of leads in these places, without spam, in alphabetical order: from the sums and pending changes. */
export async function listSourcesOfPlaces(
  db: Db,
  places: readonly number[],
  { limit }: { limit: number },
): Promise<string[]> {
  const years = sql.join(['', ...(await listYears(db, 'lead_counts'))])
  const isOfPlace = sql`place in (${keysOf(db, places)})`
  const { rows } = await sql<{ source: string }>`select source from (
      select subject as source, leads from lead_counts
        where period in (${years}) and dimension = 'source' and ${isOfPlace}
      union all select source, leads from lead_changes where ${isOfPlace}
    ) as counted
    group by source having sum(leads) > 0 order by source limit ${limit}`.execute(db)
  return rows.map(({ source }) => source)
}

/** Counts leads in these places on each of these days, without spam, including deleted ones. */
export async function countLeadsByDay(
  db: Db,
  places: readonly number[],
  days: readonly string[],
): Promise<Map<string, number>> {
  const listed = sql.join(days)
  const isOfPlace = sql`place || '' in (${keysOf(db, places)})`
  // `|| ''` keeps the index of places out: with thousands of places, these days have fewer sums. A range of days would also
  // read the many sums of months and years between them.
  const { rows } = await sql<{ day: string; leads: number }>`select day, sum(leads) as leads from (
      select period as day, leads from lead_counts
        where period in (${listed}) and dimension = 'all' and ${isOfPlace}
      union all select day, leads from lead_changes where day in (${listed}) and ${isOfPlace}
    ) as counted
    group by day`.execute(db)
  return new Map(rows.map(({ day, leads }) => [day, Number(leads)]))
}

// As one parameter: a state may have more places than a statement takes parameters.
function keysOf(db: Db, places: readonly number[]): RawBuilder<unknown> {
  const json = JSON.stringify(places.map(keyOfId))
  if (engineOf(db) === 'sqlite') return sql`select value from json_each(${json})`
  return sql`select jsonb_array_elements_text(${json}::jsonb)`
}
