import { type Kysely, sql } from 'kysely'

/** Some receivers redirect when their work is done, such as Google Apps Script: a webhook may count that as delivered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table form_webhooks add column accept_redirect integer not null default 0
    check (accept_redirect in (0, 1))`.execute(db)
}
