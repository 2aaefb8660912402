import { type Insertable, sql } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'

export type CountTable = 'lead_counts' | 'traffic_counts'

/** A page or source with sums in a year. */
export interface CountedSubject {
  year: string
  dimension: 'page' | 'source'
  subject: string
}

/** Lists the years from the first to the last one with sums. */
export async function listYears(db: Db, table: CountTable): Promise<string[]> {
  // As two queries, which SQLite reads from the ends of the key; as one, it would read every sum.
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select (select min(period) from ${sql.table(table)}) as first, (select max(period) from ${sql.table(table)}) as last`.execute(
    db,
  )
  const [{ first = null, last = null } = {}] = rows
  if (first === null || last === null) return []
  const [from, until] = [first, last].map((period) => Number(period.slice(0, 4))) as [number, number]
  return Array.from({ length: until - from + 1 }, (_, index) => String(from + index))
}

/** Lists pages or sources of a year after this one, in their order. Sums of all places name each of them. */
export async function listSubjects(
  db: Db,
  table: CountTable,
  { year, dimension, after, limit }: Omit<CountedSubject, 'subject'> & { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`select subject from ${sql.table(table)}
    where period = ${year} and dimension = ${dimension} and place = '#' and subject > ${after}
    order by subject limit ${limit}`.execute(db)
  return rows.map(({ subject }) => subject)
}

/** Takes the sums of a page or source in a year and its months out of their table. */
export async function takeSumsOfSubject<Table extends CountTable>(
  db: Db,
  table: Table,
  { year, dimension, subject }: CountedSubject,
): Promise<Insertable<Schema[Table]>[]> {
  const months = Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`)
  const { rows } = await sql<Insertable<Schema[Table]>>`delete from ${sql.table(table)}
    where period in (${sql.join([year, ...months])}) and dimension = ${dimension} and subject = ${subject}
    returning *`.execute(db)
  return rows
}
