import { type Kysely, sql } from 'kysely'
import { engineOf, idType, nowAsText, referenceType, tableOptions } from '../src/db/dialects.ts'

/**
 * The erasures of people, and which entries of the audit log had a person removed from their text. What the person is
 * searched by is stored only until the erasure is done, so that another start finishes one that was cut short.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table privacy_erasures (
    id ${idType(engine)},
    requested_at text not null default ${nowAsText(engine)},
    user_id ${referenceType(engine)} references admin_users (id) on delete set null,
    user_email text not null,
    address text not null,
    person_json text,
    leads integer not null default 0,
    files integer not null default 0,
    texts integer not null default 0,
    finished_at text,
    removal integer
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index privacy_erasures_user on privacy_erasures (user_id)`.execute(db)
  await sql`alter table audit_log add column is_redacted integer not null default 0
    check (is_redacted in (0, 1))`.execute(db)
}
