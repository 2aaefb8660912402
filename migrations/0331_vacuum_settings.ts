import { type Kysely, sql } from 'kysely'
import { engineOf } from '../src/db/dialects.ts'

export const contracts = false

const TABLES = [
  'form_submissions',
  'submission_search',
  'delivery_attempts',
  'delivery_bodies',
  'lead_counts',
]

/**
 * Has PostgreSQL free the space of deleted leads after a fiftieth of a table, not a fifth: what retention removes in a night
 * is used again by the leads of the next days.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  for (const table of TABLES)
    await sql`alter table ${sql.table(table)} set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`.execute(
      db,
    )
}
