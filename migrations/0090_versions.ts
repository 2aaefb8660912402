import { type Kysely, sql } from 'kysely'
import { bytesType, engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/**
 * Former and present states of entries, terms, and forms, and drafts of live ones. Without references: what is restored
 * from the trash has its versions again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table content_versions (
    id ${idType(engine)},
    subject_kind text not null check (subject_kind in ('entry', 'term', 'form')),
    subject_id ${referenceType(engine)} not null,
    state text not null check (state in ('saved', 'draft', 'former_draft')),
    source text not null check (source in ('admin', 'file', 'restored', 'unknown')),
    saved_by text,
    saved_at text not null,
    content_sha256 text not null,
    content ${bytesType(engine)} not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index content_versions_of_subject on content_versions (subject_kind, subject_id, id)`.execute(
    db,
  )
  await sql`create unique index content_versions_draft on content_versions (subject_kind, subject_id)
    where state = 'draft'`.execute(db)
}
