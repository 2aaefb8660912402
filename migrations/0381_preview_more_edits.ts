import type { Kysely } from 'kysely'

export const contracts = false

/** True if a preview has more saved changes than it lists in words. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('publish_previews')
    .addColumn('has_more_edits', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
