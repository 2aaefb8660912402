import { type Kysely, sql } from 'kysely'
import { engineOf, tableOptions } from '../src/db/dialects.ts'

/** Which servers are running, and indexes where references had none or where two did the work of one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table if not exists servers (
    id text primary key,
    machine text not null,
    release_id text,
    version text not null,
    started_at text not null,
    seen_at text not null
  ) ${tableOptions(engine)}`.execute(db)
  // Deleting an administrator looks for what refers to it.
  await sql`create index if not exists forms_updated_by on forms (updated_by)`.execute(db)
  await sql`create index if not exists publishes_user on publishes (user_id)`.execute(db)
  // Their columns begin a unique index: (taxonomy_id, slug) and (form_id, name).
  await sql`drop index if exists taxonomy_terms_taxonomy`.execute(db)
  await sql`drop index if exists form_fields_form`.execute(db)
  // PostgreSQL has (webhook_id, id). For SQLite, which keeps the id in every index, this is that index.
  if (engine === 'postgres') await sql`drop index if exists webhook_deliveries_webhook`.execute(db)
}
