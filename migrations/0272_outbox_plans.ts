import { type Kysely, sql } from 'kysely'
import { engineOf } from '../src/db/dialects.ts'

const OUTBOXES = ['webhook_deliveries', 'notification_mails', 'reply_mails']

/**
 * Keeps PostgreSQL's plans for large outboxes: a backlog is analyzed after a hundredth of the rows has changed, not a
 * tenth, and an index is dropped whose work another does. With `webhook_deliveries_pending` a claim sorted the whole
 * backlog until it was analyzed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  await sql`drop index if exists webhook_deliveries_pending`.execute(db)
  for (const table of OUTBOXES)
    await sql`alter table ${sql.table(table)} set (fillfactor = 85, autovacuum_analyze_scale_factor = 0.01,
      autovacuum_vacuum_scale_factor = 0.02)`.execute(db)
}
