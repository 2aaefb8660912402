import { type Kysely, sql } from 'kysely'
import { engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/** Files that visitors sent. The bytes are in `uploads/<folder>/<file>` below DATA_DIR. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table uploads (
    id ${idType(engine)},
    submission_id ${referenceType(engine)} not null references form_submissions (id) on delete cascade,
    field_name text not null,
    name text not null,
    size integer not null,
    type text not null,
    folder text not null,
    file text not null,
    created_at text not null,
    unique (folder, file)
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index uploads_submission on uploads (submission_id)`.execute(db)
}
