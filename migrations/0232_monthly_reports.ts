import { type Kysely, sql } from 'kysely'
import { engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/**
 * The monthly report of each user, at most one for a month, and the users who chose to get it or not; null for those who
 * did not choose.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`alter table admin_users add column gets_report ${referenceType(engine)}
    check (gets_report in (0, 1))`.execute(db)
  await sql`create table monthly_reports (
    id ${idType(engine)},
    user_id ${referenceType(engine)} not null references admin_users (id) on delete cascade,
    period text not null,
    status text not null check (status in ('pending', 'sending', 'sent', 'failed')),
    attempts ${referenceType(engine)} not null default 0,
    due_at text not null,
    last_error text,
    unique (user_id, period)
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index monthly_reports_due on monthly_reports (due_at) where status in ('pending', 'sending')`.execute(
    db,
  )
}
