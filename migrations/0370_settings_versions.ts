import { type Kysely, sql } from 'kysely'
import { bytesType, engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

export const contracts = false

const KINDS = sql`'entry', 'term', 'form', 'settings', 'picture'`

/** Versions of the site's settings and of pictures. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await (engineOf(db) === 'sqlite' ? rebuildVersions(db) : widenCheck(db))
}

// SQLite changes a check only with its table. Nothing refers to this one.
async function rebuildVersions(db: Kysely<unknown>) {
  await sql`create table new_content_versions (
    id ${idType('sqlite')},
    subject_kind text not null check (subject_kind in (${KINDS})),
    subject_id ${referenceType('sqlite')} not null,
    state text not null check (state in ('saved', 'draft', 'former_draft')),
    source text not null check (source in ('admin', 'file', 'restored', 'unknown')),
    saved_by text,
    saved_at text not null,
    content_sha256 text not null,
    content ${bytesType('sqlite')} not null
  ) ${tableOptions('sqlite')}`.execute(db)
  const columns = sql`id, subject_kind, subject_id, state, source, saved_by, saved_at, content_sha256, content`
  await sql`insert into new_content_versions (${columns}) select ${columns} from content_versions`.execute(db)
  await sql`drop table content_versions`.execute(db)
  await sql`alter table new_content_versions rename to content_versions`.execute(db)
  await sql`create index content_versions_of_subject on content_versions (subject_kind, subject_id, id)`.execute(
    db,
  )
  await sql`create unique index content_versions_draft on content_versions (subject_kind, subject_id)
    where state = 'draft'`.execute(db)
}

async function widenCheck(db: Kysely<unknown>) {
  await sql`alter table content_versions drop constraint content_versions_subject_kind_check`.execute(db)
  await sql`alter table content_versions add constraint content_versions_subject_kind_check
    check (subject_kind in (${KINDS}))`.execute(db)
}
