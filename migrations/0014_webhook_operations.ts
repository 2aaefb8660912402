import { type Kysely, sql } from 'kysely'
import { engineOf, referenceType } from '../src/db/dialects.ts'

/** What operating webhooks needs: rotation, pausing, switching off, owners of claims, traces, tests, replays. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await extendWebhooks(db)
  await extendDeliveries(db)
  await extendAttempts(db)
}

async function extendWebhooks(db: Kysely<unknown>) {
  const columns = [
    'previous_signing_secret',
    'previous_secret_expires_at',
    'paused_at',
    'disabled_at',
    'disabled_reason',
    'failing_since',
  ]
  for (const column of columns) {
    await sql`alter table form_webhooks add column ${sql.ref(column)} text`.execute(db)
  }
}

async function extendDeliveries(db: Kysely<unknown>) {
  const engine = engineOf(db)
  for (const column of ['claimed_by', 'trace_json']) {
    await sql`alter table webhook_deliveries add column ${sql.ref(column)} text`.execute(db)
  }
  await sql`alter table webhook_deliveries add column is_test integer not null default 0 check (is_test in (0, 1))`.execute(
    db,
  )
  await sql`alter table webhook_deliveries add column replay_of ${referenceType(engine)}`.execute(db)
  // A test with sample answers has no submission.
  await sql`alter table webhook_deliveries alter column submission_id drop not null`.execute(db)
  // Each webhook is a queue of its own: its head is found without a look at the rows of others.
  await sql`create index webhook_deliveries_queue on webhook_deliveries (webhook_id, next_attempt_at, id)
    where status = 'pending'`.execute(db)
  await sql`drop index webhook_deliveries_due`.execute(db)
  await sql`create index webhook_deliveries_replay on webhook_deliveries (replay_of) where replay_of is not null`.execute(
    db,
  )
}

async function extendAttempts(db: Kysely<unknown>) {
  for (const column of ['request_method', 'request_headers_json']) {
    await sql`alter table delivery_attempts add column ${sql.ref(column)} text`.execute(db)
  }
}
