import { type Kysely, sql } from 'kysely'
import { engineOf, tableOptions } from '../src/db/dialects.ts'

/** One release for all servers of a site: which one is live, who publishes, and what each server has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const options = tableOptions(engineOf(db))
  await sql`create table if not exists shared_releases (
    id text primary key,
    parent_id text,
    parts_json text not null,
    whole_parts_json text,
    made_at text not null
  ) ${options}`.execute(db)
  await sql`create table if not exists shared_site (
    id integer primary key check (id = 1),
    live_id text,
    next_id text,
    owner text,
    server text,
    renewed_at text,
    progress_json text
  ) ${options}`.execute(db)
  await sql`insert into shared_site (id) values (1) on conflict do nothing`.execute(db)
  await sql`create table if not exists release_servers (
    server text primary key,
    release_id text,
    staged_id text,
    seen_at text not null
  ) ${options}`.execute(db)
}
