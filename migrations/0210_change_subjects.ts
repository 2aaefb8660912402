import { type Kysely, sql } from 'kysely'

/** Lists of the admin look up whether a page was saved since the last publish. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index content_changes_subject on content_changes (subject, subject_id, id)`.execute(db)
}
