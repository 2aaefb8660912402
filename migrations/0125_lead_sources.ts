import { type Kysely, sql } from 'kysely'

/**
 * Keeps where a lead came from: first and last touch with the pages seen (`source_json`), and the name of the last
 * touch's source, such as `ads:google`, which the inbox filters by.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const tables = await db.introspection.getTables()
  const columns = tables.find(({ name }) => name === 'form_submissions')?.columns ?? []
  if (!columns.some(({ name }) => name === 'source_json')) {
    await sql`alter table form_submissions add column source text`.execute(db)
    await sql`alter table form_submissions add column source_json text`.execute(db)
  }
  await sql`create index if not exists form_submissions_source
    on form_submissions (source, status, submitted_at, id) where source is not null`.execute(db)
}
