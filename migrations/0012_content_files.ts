import { type Kysely, sql } from 'kysely'
import { engineOf, nowAsText, tableOptions } from '../src/db/dialects.ts'

/** What `content/` needs beside the document's tables: site settings, generated entries, the base of the three-way rule. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table settings (
    key text primary key,
    value_json text not null,
    updated_at text not null default ${nowAsText(engine)}
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create table content_files (
    path text primary key,
    document_json text not null,
    row_sha256 text not null,
    synced_at text not null default ${nowAsText(engine)}
  ) ${tableOptions(engine)}`.execute(db)
  await sql`alter table content_entries add column is_generated integer not null default 0 check (is_generated in (0, 1))`.execute(
    db,
  )
  await sql`alter table taxonomies add column has_archive integer not null default 0 check (has_archive in (0, 1))`.execute(
    db,
  )
}
