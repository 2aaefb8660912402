import { type Kysely, sql } from 'kysely'
import type { Schema } from '#src/db/schema.ts'

/** The contents of a PostgreSQL database's tables. */
export interface StoredRows {
  /** As a JSON array, by table; null for an empty one. */
  tables: ReadonlyMap<string, string | null>
  sequences: readonly { name: string; last: number | null }[]
}

export async function readRows(db: Kysely<Schema>): Promise<StoredRows> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  const tables = new Map<string, string | null>()
  for (const { name } of rows) {
    const found = await sql<{ json: string | null }>`
      select json_agg(t)::text as json from ${sql.table(name)} t`.execute(db)
    tables.set(name, found.rows[0]?.json ?? null)
  }
  const sequences = await sql<{ name: string; last: number | null }>`
    select sequencename as name, last_value as last from pg_sequences where schemaname = 'public'`.execute(db)
  return { tables, sequences: sequences.rows }
}

/** Replaces the contents of the tables with these rows, which is faster than recreating the tables. */
export async function putRowsBack(db: Kysely<Schema>, { tables, sequences }: StoredRows): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Without checking references or running triggers.
    await sql`set local session_replication_role = replica`.execute(trx)
    // Truncating creates a new file per table, which takes ten times as long.
    const deletes = [...tables.keys()].map(
      (name) => sql`${sql.id(`of ${name}`)} as (delete from ${sql.table(name)})`,
    )
    await sql`with ${sql.join(deletes)} select 1`.execute(trx)
    for (const [name, json] of tables) {
      if (json === null) continue
      const table = sql.table(name)
      await sql`insert into ${table} overriding system value
        select * from json_populate_recordset(null::${table}, ${json}::json)`.execute(trx)
    }
    const starts = sequences.map(({ name, last }) => sql`setval(${name}, ${last ?? 1}, ${last !== null})`)
    if (starts.length > 0) await sql`select ${sql.join(starts)}`.execute(trx)
  })
}
