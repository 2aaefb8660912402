import { type Kysely, sql } from 'kysely'
import { engineOf, idType, nowAsText, referenceType, tableOptions } from '../src/db/dialects.ts'

/** How administrators sign in, who is signed in, what failed lately, and who changed what. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await extendAdministrators(db)
  await createSessions(db)
  await createRecoveryCodes(db)
  await createSignInFailures(db)
  await createAuditLog(db)
}

async function extendAdministrators(db: Kysely<unknown>) {
  for (const column of [
    'name text',
    'disabled_at text',
    'last_signed_in_at text',
    'totp_secret text',
    'totp_confirmed_at text',
    'totp_last_step integer',
  ]) {
    await sql`alter table admin_users add column ${sql.raw(column)}`.execute(db)
  }
}

async function createSessions(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table admin_sessions (
    id ${idType(engine)},
    user_id ${referenceType(engine)} not null references admin_users (id) on delete cascade,
    token_sha256 text not null unique,
    created_at text not null,
    last_seen_at text not null,
    password_checked_at text not null,
    address text not null,
    user_agent text not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index admin_sessions_user on admin_sessions (user_id)`.execute(db)
}

async function createRecoveryCodes(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table admin_recovery_codes (
    user_id ${referenceType(engine)} not null references admin_users (id) on delete cascade,
    code_sha256 text not null,
    primary key (user_id, code_sha256)
  ) ${tableOptions(engine)}`.execute(db)
}

// The account is kept as a hash: what people type into the e-mail field by mistake is sometimes a password.
async function createSignInFailures(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table sign_in_failures (
    id ${idType(engine)},
    account_sha256 text not null,
    address text not null,
    failed_at text not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index sign_in_failures_account on sign_in_failures (account_sha256, failed_at)`.execute(db)
  await sql`create index sign_in_failures_address on sign_in_failures (address, failed_at)`.execute(db)
}

// What was done stays readable when the administrator who did it is removed.
async function createAuditLog(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table audit_log (
    id ${idType(engine)},
    happened_at text not null default ${nowAsText(engine)},
    user_id ${referenceType(engine)} references admin_users (id) on delete set null,
    user_email text not null,
    action text not null,
    subject_type text,
    subject_id text,
    summary text not null,
    address text not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index audit_log_user on audit_log (user_id)`.execute(db)
  await sql`create index audit_log_subject on audit_log (subject_type, subject_id, id)`.execute(db)
}
