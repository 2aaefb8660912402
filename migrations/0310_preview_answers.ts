import { type Kysely, sql } from 'kysely'
import { engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/** Previews are made in the background, and visitors may ask for changes; whoever made the link gets mail about an answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  const integer = referenceType(engine)
  await sql`alter table publish_previews add column ready_at text`.execute(db)
  await sql`alter table publish_previews add column failure_message text`.execute(db)
  await sql`alter table publish_previews add column page_count ${integer} not null default 0`.execute(db)
  const list = engine === 'postgres' ? sql`changes_json::json` : sql`changes_json`
  await sql`update publish_previews set ready_at = made_at, page_count = json_array_length(${list})`.execute(
    db,
  )
  await sql`create table if not exists preview_answers (
    id ${idType(engine)},
    preview_id ${integer} not null references publish_previews (id) on delete cascade,
    kind text not null check (kind in ('approved', 'changes')),
    name text not null,
    note text,
    answered_at text not null,
    mail_status text not null check (mail_status in ('off', 'pending', 'sent', 'failed')),
    mail_due_at text not null,
    mail_attempts ${integer} not null default 0,
    mail_error text
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index if not exists preview_answers_preview on preview_answers (preview_id)`.execute(db)
}
