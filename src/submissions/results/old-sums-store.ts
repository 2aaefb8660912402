import { type Insertable, sql } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'

type CountTable = 'lead_counts' | 'traffic_counts'
type Sum<Table extends CountTable> = Insertable<Schema[Table]>

// The condition of the indexes `lead_counts_of_slugs` and `traffic_counts_of_slugs`.
const IS_OF_SLUGS = sql`(place <> '' and substr(place, 1, 1) not in ('#', '='))
  or (dimension = 'service' and subject <> '' and substr(subject, 1, 1) not in ('#', '='))`

/** Returns true if any sum is keyed by slug. */
export async function hasSumsOfSlugs(db: Db, table: CountTable): Promise<boolean> {
  // Sorted like that index, because otherwise PostgreSQL wouldn't use it to find a single row.
  const { rows } =
    await sql`select 1 from ${sql.table(table)} where ${IS_OF_SLUGS} order by period limit 1`.execute(db)
  return rows.length > 0
}

/** Takes sums keyed by slug out of their table, in a transaction. */
export async function takeSumsOfSlugs<Table extends CountTable>(
  db: Db,
  table: Table,
  { limit }: { limit: number },
): Promise<Sum<Table>[]> {
  const key = sql.join(['period', 'dimension', 'subject', 'place'].map((name) => sql.ref(name)))
  const { rows } = await sql<Sum<Table>>`delete from ${sql.table(table)} where (${key}) in (
    select ${key} from ${sql.table(table)} where ${IS_OF_SLUGS} order by period limit ${limit}) returning *`.execute(
    db,
  )
  return rows
}

/** Adds sums to those with the same key, in the transaction that took them. */
export async function addSums(db: Db, table: CountTable, sums: readonly Sum<CountTable>[]): Promise<void> {
  for (const sum of sums) {
    const columns = Object.keys(sum)
    const counts = columns.slice(KEYS)
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(sum))})
      on conflict (period, dimension, subject, place) do update set ${sql.join(
        counts.map(
          (name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
        ),
      )}`.execute(db)
  }
}

const KEYS = 4
