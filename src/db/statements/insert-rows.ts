import { type Insertable, type InsertQueryBuilder, type InsertResult, sql } from 'kysely'
import { engineOf } from '../dialects.ts'
import type { Db, Schema } from '../schema.ts'
import { type At, inGroups, type PreparedQuery, prepareQuery } from './prepared-query.ts'

const LONE_SURROGATE = /\\ud[89a-f]/

/**
 * Starts an insert of rows that all have the columns of the first. PostgreSQL gets them as one JSON value: parsing
 * hundreds of placeholders would take as long as inserting.
 */
export function insertRows<Table extends keyof Schema & string>(
  db: Db,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
): InsertQueryBuilder<Schema, Table, InsertResult> {
  const insert = db.insertInto(table)
  if (engineOf(db) === 'sqlite') return insert.values(rows)
  const columns = Object.keys(rows[0] ?? {}) as (keyof Schema[Table] & string)[]
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const json = toJson(rows)
  return insert
    .columns(columns)
    .expression(sql`select ${names} from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`)
}

// JSON has such an escape only for half of a surrogate pair, which PostgreSQL refuses; as a parameter it would become the
// character that `toWellFormed` puts in its place.
function toJson(rows: readonly object[]): string {
  const json = JSON.stringify(rows)
  if (!LONE_SURROGATE.test(json)) return json
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}

const preparedInserts = new Map<string, PreparedQuery<{ rows: readonly object[] }, unknown>>()

/** Inserts any number of rows on a hot path, where building the text takes as long as running it. */
export async function insertAll<Table extends keyof Schema & string>(
  db: Db,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
): Promise<void> {
  if (rows.length === 0) return
  if (engineOf(db) === 'postgres') {
    await insertRows(db, table, rows).execute()
    return
  }
  const insert =
    preparedInserts.get(table) ??
    prepareQuery((on: Db, at: At<{ rows: readonly object[] }>) =>
      on
        .insertInto(table)
        .values(at('rows') as Insertable<Schema[Table]>[])
        .compile(),
    )
  preparedInserts.set(table, insert)
  for (const group of inGroups(rows)) await insert(db, { rows: group })
}
