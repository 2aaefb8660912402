import { type Kysely, sql } from 'kysely'
import { engineOf } from '#src/db/dialects.ts'
import type { Schema } from '#src/db/schema.ts'

export type Row = Record<string, unknown>

let counter = 0

/** A text that no other row has. */
export function unique(prefix: string): string {
  counter += 1
  return `${prefix}-${counter}`
}

/** Inserts exactly these columns into any table and returns the whole row. */
export async function insertRow(db: Kysely<Schema>, table: string, row: Row): Promise<Row> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
  const { rows } = await sql<Row>`insert into ${sql.table(table)} (${columns})
    values (${sql.join(Object.values(row))}) returning *`.execute(db)
  return rows[0] ?? {}
}

export async function rowsOf(db: Kysely<Schema>, table: string, where: Row = {}): Promise<Row[]> {
  const { rows } =
    await sql<Row>`select * from ${sql.table(table)} where ${equalTo(where)} order by 1`.execute(db)
  return rows
}

export async function deleteRows(db: Kysely<Schema>, table: string, where: Row): Promise<void> {
  await sql`delete from ${sql.table(table)} where ${equalTo(where)}`.execute(db)
}

function equalTo(where: Row) {
  const conditions = Object.entries(where).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  return sql.join([sql`1 = 1`, ...conditions], sql` and `)
}

/** The columns of every index of a table, primary keys and unique constraints included: `['form_id,name', …]`. */
export async function indexesOf(db: Kysely<Schema>, table: string): Promise<string[]> {
  const query =
    engineOf(db) === 'sqlite'
      ? sql<{ columns: string }>`select group_concat(c.name, ',' order by c.seqno) as columns
          from pragma_index_list(${table}) i, pragma_index_info(i.name) c group by i.name`
      : sql<{ columns: string }>`select string_agg(a.attname, ',' order by k.n) as columns
          from pg_index i cross join unnest(i.indkey) with ordinality as k(attnum, n)
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
          where i.indrelid = ${table}::regclass group by i.indexrelid`
  const { rows } = await query.execute(db)
  return rows.map((row) => row.columns)
}

/** The columns of every table with their types, `integer` or `text` on every engine. */
export async function columnTypes(db: Kysely<Schema>): Promise<Record<string, Record<string, string>>> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return Object.fromEntries(
    tables.map(({ name, columns }) => [
      name,
      Object.fromEntries(columns.map((column) => [column.name, plainType(column.dataType)])),
    ]),
  )
}

function plainType(dataType: string) {
  return /^int/i.test(dataType) ? 'integer' : dataType.toLowerCase()
}
