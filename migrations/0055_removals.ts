import { type Kysely, sql } from 'kysely'
import { engineOf } from '../src/db/dialects.ts'

const TABLES = ['form_submissions', 'submission_notes', 'admin_users', 'content_entries']

/**
 * Counts removals, so that the server knows whether parts of the file still hold removed data. A database that stored
 * submissions before begins with one to clean up. SQLite only: PostgreSQL has VACUUM.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (engineOf(db) !== 'sqlite') return
  await sql`create table if not exists removals (
    removed integer not null,
    words_cleaned integer not null,
    rewritten integer not null
  ) strict`.execute(db)
  await sql`insert into removals (removed, words_cleaned, rewritten)
    select exists (select 1 from sqlite_sequence where name = 'form_submissions' and seq > 0), 0, 0
    where not exists (select 1 from removals)`.execute(db)
  for (const table of TABLES) {
    await sql`create trigger if not exists ${sql.ref(`${table}_removed`)} after delete on ${sql.table(table)} begin
      update removals set removed = removed + 1;
    end`.execute(db)
  }
}
