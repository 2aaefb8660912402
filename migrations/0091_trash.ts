import { type Kysely, sql } from 'kysely'
import { bytesType, engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/** What was deleted, with all that went along, for 30 days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table content_trash (
    id ${idType(engine)},
    subject_kind text not null check (subject_kind in ('entry', 'term', 'form')),
    subject_id ${referenceType(engine)} not null,
    type_slug text not null,
    name text not null,
    parts integer not null check (parts >= 0),
    source text not null check (source in ('admin', 'file')),
    deleted_by text,
    deleted_at text not null,
    content ${bytesType(engine)} not null,
    unique (subject_kind, subject_id)
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index content_trash_age on content_trash (deleted_at)`.execute(db)
}
