import { type Kysely, sql } from 'kysely'
import { engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/** Why something is spam, who posted lately (as keyed hashes), challenges that were used, and the outbox of mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table form_submissions add column spam_reason text`.execute(db)
  await createLimits(db)
  await createMails(db)
  await createMailAttempts(db)
}

// Rows of recent_posts are in the order of their time, so that its id is the only index it needs.
async function createLimits(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table recent_posts (
    id ${idType(engine)},
    address_hash text not null,
    posted_at text not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create table spent_challenges (
    challenge text primary key,
    expires_at text not null
  ) ${tableOptions(engine)}`.execute(db)
}

async function createMails(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table notification_mails (
    id ${idType(engine)},
    submission_id ${referenceType(engine)} not null references form_submissions (id) on delete cascade,
    form_id ${referenceType(engine)} references forms (id) on delete set null,
    recipient text not null,
    status text not null default 'pending' check (status in ('pending', 'sending', 'sent', 'failed', 'cancelled')),
    created_at text not null,
    attempt_count integer not null default 0,
    next_attempt_at text,
    lease_expires_at text,
    last_error text,
    finished_at text
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index notification_mails_submission on notification_mails (submission_id)`.execute(db)
  await sql`create index notification_mails_due on notification_mails (next_attempt_at) where status = 'pending'`.execute(
    db,
  )
  await sql`create index notification_mails_leased on notification_mails (lease_expires_at) where status = 'sending'`.execute(
    db,
  )
}

async function createMailAttempts(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table mail_attempts (
    id ${idType(engine)},
    mail_id ${referenceType(engine)} not null references notification_mails (id) on delete cascade,
    attempt_number integer not null,
    started_at text not null,
    duration_ms integer not null,
    response text,
    failure_message text
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index mail_attempts_mail on mail_attempts (mail_id)`.execute(db)
}
