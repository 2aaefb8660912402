import { type Kysely, sql } from 'kysely'
import { engineOf, tableOptions } from '../src/db/dialects.ts'

/** Keeps what a sync could not take over, for people to settle. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table if not exists content_conflicts (
    path text primary key,
    kind text not null check (kind in ('conflict', 'waiting')),
    message text not null,
    file_json text,
    row_json text,
    version text not null,
    found_at text not null
  ) ${tableOptions(engine)}`.execute(db)
}
