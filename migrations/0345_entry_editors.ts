import { type Kysely, sql } from 'kysely'
import { engineOf, referenceType, tableOptions } from '../src/db/dialects.ts'

export const contracts = false

/** Who has the editor of an entry open, since when, and when their browser last said so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table entry_editors (
    entry_id ${referenceType(engine)} not null references content_entries (id) on delete cascade,
    user_id ${referenceType(engine)} not null references admin_users (id) on delete cascade,
    since text not null,
    seen_at text not null,
    primary key (entry_id, user_id)
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index entry_editors_user on entry_editors (user_id)`.execute(db)
}
