import { type Kysely, sql } from 'kysely'

/**
 * The role of each user, and the places and forms whose leads they see. Everyone until now could do everything: they are
 * owners. A limit is a JSON list of IDs and not rows with references: with the last place deleted, the user would
 * otherwise see every place.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table admin_users add column role text not null default 'owner'
    check (role in ('owner', 'manager', 'editor', 'office', 'viewer'))`.execute(db)
  await sql`alter table admin_users add column place_limit_json text`.execute(db)
  await sql`alter table admin_users add column form_limit_json text`.execute(db)
}
