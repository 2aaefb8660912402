import type { Kysely } from 'kysely'

export const contracts = false

/** Counts of a preview's changed pages by kind. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('publish_previews')
    .addColumn('page_kinds_json', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute()
}
