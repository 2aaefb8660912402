import { type Kysely, sql } from 'kysely'

/** As 0021, for deliveries from before the outbox that were just being sent: nobody would ever take them up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update webhook_deliveries set next_attempt_at = created_at
    where status in ('pending', 'delivering') and next_attempt_at is null`.execute(db)
}
