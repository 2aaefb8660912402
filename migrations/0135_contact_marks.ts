import { type Kysely, sql } from 'kysely'

/**
 * Lets leads of the same person be found by email address or phone number: what is in the search index already is
 * indexed again, from the newest lead on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from submission_search_rebuild`.execute(db)
  await sql`insert into submission_search_rebuild (next_id)
    select max(id) from form_submissions having max(id) is not null`.execute(db)
}
