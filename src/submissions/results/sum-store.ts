import { type Insertable, sql } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import type { SumKey } from './result-keys.ts'

type CountTable = 'lead_counts' | 'traffic_counts'
type Sum<Table extends CountTable> = Insertable<Schema[Table]>

const ROWS = 100
const KEY = ['period', 'dimension', 'subject', 'place'] as const satisfies (keyof SumKey)[]

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
  const key = sql.join(KEY.map((name) => sql.ref(name)))
  const { rows } = await sql<Sum<Table>>`delete from ${sql.table(table)} where (${key}) in (
    select ${key} from ${sql.table(table)} where ${IS_OF_SLUGS} order by period limit ${limit}) returning *`.execute(
    db,
  )
  return rows
}

/** Adds sums to those with the same key, in the caller's transaction. */
export async function addSums(db: Db, table: CountTable, sums: readonly Sum<CountTable>[]): Promise<void> {
  const [first = {}] = sums
  const counts = Object.keys(first).filter((name) => !KEY.some((key) => key === name))
  const added = counts.map((name) => [
    name,
    sql`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  ])
  for (const rows of chunksOf(sums, ROWS))
    await db
      .insertInto(table)
      .values(rows)
      .onConflict((conflict) => conflict.columns(KEY).doUpdateSet(Object.fromEntries(added)))
      .execute()
}
