import { type Kysely, sql } from 'kysely'

/** How many bytes of files a post brought, so that the limit on uploads survives a restart. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recent_posts add column upload_bytes integer not null default 0`.execute(db)
}
