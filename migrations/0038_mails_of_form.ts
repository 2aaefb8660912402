import { type Kysely, sql } from 'kysely'

/** Deleting a form looks for its mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index notification_mails_form on notification_mails (form_id)`.execute(db)
}
