import { type Kysely, sql } from 'kysely'
import { engineOf, idType, nowAsText, referenceType, tableOptions } from '../src/db/dialects.ts'

/** What makes a million submissions easy to look through: indexes by state, words to search, and notes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index form_submissions_status on form_submissions (status, submitted_at, id)`.execute(db)
  await sql`create index form_submissions_form_status on form_submissions (form_id, status, submitted_at, id)`.execute(
    db,
  )
  await createNotes(db)
  await (engineOf(db) === 'sqlite' ? createSqliteSearch(db) : createPostgresSearch(db))
}

async function createNotes(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table submission_notes (
    id ${idType(engine)},
    submission_id ${referenceType(engine)} not null references form_submissions (id) on delete cascade,
    user_id ${referenceType(engine)} references admin_users (id) on delete set null,
    user_email text not null,
    body text not null,
    created_at text not null default ${nowAsText(engine)}
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index submission_notes_submission on submission_notes (submission_id)`.execute(db)
  await sql`create index submission_notes_user on submission_notes (user_id)`.execute(db)
}

// Only the words are kept, not the texts. With an index for beginnings of each length, a common one is as fast as a rare
// one: at 300,000 rows 0.4 ms instead of 190.
async function createSqliteSearch(db: Kysely<unknown>) {
  await sql`create virtual table submission_search using fts5(
    words, content = '', contentless_delete = 1, detail = none, prefix = '3 4 5 6'
  )`.execute(db)
  await sql`create trigger submission_search_delete after delete on form_submissions begin
    delete from submission_search where rowid = old.id;
  end`.execute(db)
}

async function createPostgresSearch(db: Kysely<unknown>) {
  await sql`create table submission_search (
    submission_id bigint primary key references form_submissions (id) on delete cascade,
    words tsvector not null
  )`.execute(db)
  await sql`create index submission_search_words on submission_search using gin (words)`.execute(db)
}
