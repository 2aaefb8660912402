import { type Kysely, sql } from 'kysely'
import { engineOf, referenceType } from '../src/db/dialects.ts'

/** How far a lead has come, and who looks after it. The indexes leave out what most leads are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table form_submissions add column stage text not null default 'new'
    check (stage in ('new', 'contacted', 'quoted', 'won', 'lost'))`.execute(db)
  await sql`alter table form_submissions add column assignee_id ${referenceType(engineOf(db))}
    references admin_users (id) on delete set null`.execute(db)
  await sql`create index form_submissions_stage on form_submissions (stage, status, submitted_at, id)
    where stage <> 'new'`.execute(db)
  await sql`create index form_submissions_assignee on form_submissions (assignee_id, status, submitted_at, id)
    where assignee_id is not null`.execute(db)
}
