import { type Kysely, sql } from 'kysely'

/** Indexes leads again, from the newest on: their marks begin with a letter that nobody can search for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from submission_search_rebuild`.execute(db)
  await sql`insert into submission_search_rebuild (next_id)
    select max(id) from form_submissions having max(id) is not null`.execute(db)
}
