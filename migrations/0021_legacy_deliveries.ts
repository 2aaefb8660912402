import { type Kysely, sql } from 'kysely'

/** Deliveries from before the outbox that still wait have no moment for it: they are due since they were made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update webhook_deliveries set next_attempt_at = created_at
    where status = 'pending' and next_attempt_at is null`.execute(db)
}
