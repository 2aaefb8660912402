import { type Kysely, sql } from 'kysely'
import { engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/** When entries are shown, where pages were before, and every publish with what it changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db)
  const engine = engineOf(db)
  await sql`create table published_addresses (
    path text primary key,
    page_key text not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create table publishes (
    id ${idType(engine)},
    machine text not null,
    started_by text not null check (started_by in ('command', 'start', 'schedule', 'admin')),
    user_id ${referenceType(engine)} references admin_users (id) on delete set null,
    started_at text not null,
    finished_at text,
    status text not null check (status in ('running', 'published', 'unchanged', 'failed', 'rolled_back')),
    release_id text,
    previous_release_id text,
    pages_added integer not null default 0,
    pages_changed integer not null default 0,
    pages_removed integer not null default 0,
    pages_unchanged integer not null default 0,
    reasons_json text,
    bytes ${referenceType(engine)},
    failure_message text,
    log_json text
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index publishes_machine on publishes (machine, id)`.execute(db)
}

async function addColumns(db: Kysely<unknown>) {
  for (const column of ['publish_at', 'unpublish_at']) {
    await sql`alter table content_entries add column ${sql.ref(column)} text`.execute(db)
    await sql`create index ${sql.ref(`content_entries_${column}`)} on content_entries (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(db)
  }
  await sql`alter table content_entries add column redirect_from_json text`.execute(db)
  await sql`alter table taxonomy_terms add column former_slugs_json text`.execute(db)
}
