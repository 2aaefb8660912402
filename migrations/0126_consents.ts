import { type Kysely, sql } from 'kysely'

/** Keeps with each submission the wording of the boxes that its visitor ticked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const tables = await db.introspection.getTables()
  const columns = tables.find(({ name }) => name === 'form_submissions')?.columns ?? []
  if (columns.some(({ name }) => name === 'consents_json')) return
  await sql`alter table form_submissions add column consents_json text`.execute(db)
}
