import type { Kysely } from 'kysely'

export const contracts = false

/** The saved changes that a preview shows, in words. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('publish_previews')
    .addColumn('edits_json', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
}
