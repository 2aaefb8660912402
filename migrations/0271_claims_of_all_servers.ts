import { type Kysely, sql } from 'kysely'
import { engineOf, tableOptions } from '../src/db/dialects.ts'

/** Names the claim of a mail, and the dispatchers that share the slots of an origin. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table notification_mails add column claimed_by text`.execute(db)
  await sql`alter table reply_mails add column claimed_by text`.execute(db)
  await sql`create table dispatchers (
    id text primary key,
    seen_at text not null,
    counted integer not null
  ) ${tableOptions(engineOf(db))}`.execute(db)
}
