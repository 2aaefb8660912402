import { type Kysely, sql } from 'kysely'
import { engineOf } from '../src/db/dialects.ts'

export const contracts = false

/** Leaves changes of the settings that no page shows out of the change log: see `UNSHOWN_SETTINGS`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = engineOf(db) === 'sqlite'
  const shown = isSqlite
    ? (row: string) => `json_remove(${row}.value_json, '$.stages', '$.record_reading')`
    : (row: string) => `(${row}.value_json::jsonb - 'stages' - 'record_reading')`
  const differs = isSqlite ? 'is not' : 'is distinct from'
  const work = isSqlite
    ? `begin insert into content_changes (subject, subject_id, action) values ('setting', new.key, 'edited'); end`
    : 'execute function settings_log_update()'
  await sql`drop trigger settings_log_update ${isSqlite ? sql`` : sql`on settings`}`.execute(db)
  await sql
    .raw(`create trigger settings_log_update after update on settings for each row
      when (new.key = 'site' and ${shown('old')} ${differs} ${shown('new')}) ${work}`)
    .execute(db)
}
