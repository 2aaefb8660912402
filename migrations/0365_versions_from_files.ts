import { type Kysely, sql } from 'kysely'

export const contracts = false

/** Says that first versions without an author came from content files: every save in the admin is a version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update content_versions set source = 'file'
    where source = 'unknown' and not exists (
      select 1 from content_versions earlier
      where earlier.subject_kind = content_versions.subject_kind
        and earlier.subject_id = content_versions.subject_id
        and earlier.id < content_versions.id)`.execute(db)
}
