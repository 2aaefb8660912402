import { type Kysely, sql } from 'kysely'
import { engineOf } from '../src/db/dialects.ts'

/** Lists of deliveries, newest first, of a form or of a state that few have: none of them looks at all the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index webhook_deliveries_form on webhook_deliveries (form_id, id)`.execute(db)
  for (const status of ['failed', 'skipped', 'cancelled', 'pending']) {
    await sql`create index ${sql.ref(`webhook_deliveries_${status}`)} on webhook_deliveries (id)
      where status = ${sql.lit(status)}`.execute(db)
  }
  // SQLite keeps the id in every index.
  if (engineOf(db) === 'postgres') {
    await sql`create index webhook_deliveries_webhook_id on webhook_deliveries (webhook_id, id)`.execute(db)
  }
}
