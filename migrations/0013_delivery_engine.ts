import { type Kysely, sql } from 'kysely'
import { engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/** Where a submission came from, and the outbox: claims with a lease, the body sent, a row for each attempt. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await extendSubmissions(db)
  await extendDeliveries(db)
  await createAttempts(db)
}

async function extendSubmissions(db: Kysely<unknown>) {
  const columns = [
    'client_id',
    'page_path',
    'service_slug',
    'location_slug',
    'location_path',
    'location_name',
  ]
  for (const column of columns) {
    await sql`alter table form_submissions add column ${sql.ref(column)} text`.execute(db)
  }
  await sql`alter table form_submissions add column status text not null default 'new'
    check (status in ('new', 'read', 'archived', 'spam'))`.execute(db)
  await sql`create unique index form_submissions_client on form_submissions (form_id, client_id)
    where client_id is not null`.execute(db)
}

async function extendDeliveries(db: Kysely<unknown>) {
  const textColumns = [
    'message_id',
    'next_attempt_at',
    'lease_expires_at',
    'request_body',
    'outcome_reason',
    'finished_at',
  ]
  for (const column of textColumns) {
    await sql`alter table webhook_deliveries add column ${sql.ref(column)} text`.execute(db)
  }
  await sql`alter table webhook_deliveries add column attempt_count integer not null default 0`.execute(db)
  await sql`create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'pending'`.execute(
    db,
  )
  // Without it a webhook that is deleted would look through every delivery for its own.
  await sql`create index webhook_deliveries_webhook on webhook_deliveries (webhook_id)`.execute(db)
  await sql`create index webhook_deliveries_leased on webhook_deliveries (lease_expires_at) where status = 'delivering'`.execute(
    db,
  )
}

async function createAttempts(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table delivery_attempts (
    id ${idType(engine)},
    delivery_id ${referenceType(engine)} not null references webhook_deliveries (id) on delete cascade,
    attempt_number integer not null,
    started_at text not null,
    duration_ms integer not null,
    request_url text not null,
    response_status integer,
    response_headers_json text,
    response_body text,
    failure_kind text,
    failure_message text
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index delivery_attempts_delivery on delivery_attempts (delivery_id)`.execute(db)
}
