import { type Kysely, sql } from 'kysely'
import { type Engine, engineOf } from '../src/db/dialects.ts'

/**
 * Which service a location service sells and where (§2.9), read out of `data_json` by the database itself, so that the
 * two never differ; and the indexes of the admin's lists.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  for (const key of ['service_entry_id', 'location_term_id']) {
    await sql`alter table content_entries add column ${numberOf(engine, key)}`.execute(db)
  }
  // Everything that the matrix of services and places shows stands in this index.
  await sql`create index content_entries_coverage
    on content_entries (service_entry_id, is_generated, status, location_term_id)
    where service_entry_id is not null`.execute(db)
  await sql`create index content_entries_location on content_entries (location_term_id)
    where location_term_id is not null`.execute(db)
  await sql`create index content_entries_status on content_entries (type_id, status, slug)`.execute(db)
  await sql`create index content_entries_changed on content_entries (type_id, updated_at, id)`.execute(db)
}

function numberOf(engine: Engine, key: string) {
  if (engine === 'sqlite') {
    const path = sql.lit(`$.${key}`)
    return sql`${sql.ref(key)} integer generated always as
      (case when json_type(data_json, ${path}) = 'integer' then json_extract(data_json, ${path}) end) virtual`
  }
  const value = sql`data_json::jsonb -> ${sql.lit(key)}`
  return sql`${sql.ref(key)} bigint generated always as
    (case when jsonb_typeof(${value}) = 'number' then (${value})::bigint end) stored`
}
