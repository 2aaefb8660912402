import { type Kysely, sql } from 'kysely'

/** Finds the leads of an account that is limited to places, without a look at all the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists form_submissions_place
    on form_submissions (location_slug, status, submitted_at, id)`.execute(db)
}
