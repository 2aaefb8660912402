import { type Kysely, sql } from 'kysely'
import { engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/** Filters of the inbox that users keep, for themselves or for their team. They go with their user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table if not exists saved_filters (
    id ${idType(engine)},
    user_id ${referenceType(engine)} not null references admin_users (id) on delete cascade,
    name text not null,
    is_shared ${referenceType(engine)} not null default 0 check (is_shared in (0, 1)),
    filter_json text not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index if not exists saved_filters_user on saved_filters (user_id)`.execute(db)
}
