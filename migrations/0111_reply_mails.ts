import { type Kysely, sql } from 'kysely'
import { engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/**
 * The outbox of replies to visitors: one row for each submission, for good. A table of its own, as an earlier version of
 * the program that still runs sends whatever is in notification_mails, with all answers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table reply_mails (
    id ${idType(engine)},
    submission_id ${referenceType(engine)} not null unique references form_submissions (id) on delete cascade,
    form_id ${referenceType(engine)} references forms (id) on delete set null,
    recipient text not null,
    limit_key text not null,
    status text not null default 'pending' check (status in ('pending', 'sending', 'sent', 'failed', 'cancelled')),
    created_at text not null,
    attempt_count integer not null default 0,
    next_attempt_at text,
    lease_expires_at text,
    response text,
    last_error text,
    outcome_code text,
    finished_at text
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index reply_mails_form on reply_mails (form_id)`.execute(db)
  await sql`create index reply_mails_due on reply_mails (next_attempt_at) where status = 'pending'`.execute(
    db,
  )
  await sql`create index reply_mails_leased on reply_mails (lease_expires_at) where status = 'sending'`.execute(
    db,
  )
  await sql`create index reply_mails_of_site on reply_mails (created_at) where status <> 'cancelled'`.execute(
    db,
  )
  await sql`create index reply_mails_of_address on reply_mails (limit_key, created_at)
    where status <> 'cancelled'`.execute(db)
}
