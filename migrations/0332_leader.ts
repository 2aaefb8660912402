import { type Kysely, sql } from 'kysely'
import { engineOf, tableOptions } from '../src/db/dialects.ts'

export const contracts = false

/** One of several servers does the daily work, which is noted with its time; and a publisher may ask for its turn. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const options = tableOptions(engineOf(db))
  await sql`alter table servers add column is_healthy integer not null default 1 check (is_healthy in (0, 1))`.execute(
    db,
  )
  await sql`create table site_leader (
    id integer primary key check (id = 1),
    server_id text,
    renewed_at text
  ) ${options}`.execute(db)
  await sql`insert into site_leader (id) values (1)`.execute(db)
  await sql`create table daily_work (
    name text primary key not null,
    done_at text not null
  ) ${options}`.execute(db)
  await sql`alter table shared_site add column wanted_at text`.execute(db)
}
