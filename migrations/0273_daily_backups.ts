import { type Kysely, sql } from 'kysely'
import { engineOf, tableOptions } from '../src/db/dialects.ts'

/** Lets one of several servers make the daily backup, and says which made the last one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table daily_backups (
    id integer primary key check (id = 1),
    claimed_at text,
    server text,
    name text,
    made_at text
  ) ${tableOptions(engineOf(db))}`.execute(db)
  await sql`insert into daily_backups (id) values (1)`.execute(db)
}
