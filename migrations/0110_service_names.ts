import { type Kysely, sql } from 'kysely'

/** A lead keeps the name that its service had, as it keeps that of its place; older leads have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table form_submissions add column service_name text`.execute(db)
}
