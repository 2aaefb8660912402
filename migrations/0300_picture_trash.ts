import { type Kysely, sql } from 'kysely'
import { bytesType, engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/** The trash takes pictures, and says which files of the picture store are theirs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await (engine === 'sqlite' ? rebuildTrash(db) : freeColumn(db))
  await sql`create table trashed_picture_files (
    trash_id ${referenceType(engine)} not null references content_trash (id) on delete cascade,
    sha256 text not null,
    primary key (trash_id, sha256)
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index trashed_picture_files_sha256 on trashed_picture_files (sha256)`.execute(db)
}

const KINDS = sql`'entry', 'term', 'form', 'picture'`

// SQLite changes a check only with its table. Nothing refers to this one.
async function rebuildTrash(db: Kysely<unknown>) {
  await sql`create table new_content_trash (
    id ${idType('sqlite')},
    subject_kind text not null check (subject_kind in (${KINDS})),
    subject_id ${referenceType('sqlite')} not null,
    type_slug text not null,
    name text not null,
    parts integer not null check (parts >= 0),
    source text not null check (source in ('admin', 'file')),
    deleted_by text,
    deleted_at text not null,
    content ${bytesType('sqlite')} not null,
    unique (subject_kind, subject_id)
  ) ${tableOptions('sqlite')}`.execute(db)
  const columns = sql`id, subject_kind, subject_id, type_slug, name, parts, source, deleted_by, deleted_at, content`
  await sql`insert into new_content_trash (${columns}) select ${columns} from content_trash`.execute(db)
  await sql`drop table content_trash`.execute(db)
  await sql`alter table new_content_trash rename to content_trash`.execute(db)
  await sql`create index content_trash_age on content_trash (deleted_at)`.execute(db)
}

async function freeColumn(db: Kysely<unknown>) {
  await sql`alter table content_trash drop constraint content_trash_subject_kind_check`.execute(db)
  await sql`alter table content_trash add constraint content_trash_subject_kind_check
    check (subject_kind in (${KINDS}))`.execute(db)
}
