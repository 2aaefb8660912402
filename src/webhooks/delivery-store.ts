import { randomBytes } from 'node:crypto'
import type { ExpressionBuilder } from 'kysely'
import { z } from 'zod'
import { engineOf } from '../db/dialects.ts'
import type { Db, DeliveryStatus, Schema } from '../db/schema.ts'
import type { Json } from '../lib/canonical-json.ts'
import type { DeliveryJob, NewDelivery } from './delivery.ts'
import { jsonColumn } from './json-column.ts'
import type { Attempt } from './send-attempt.ts'
import { findWebhooks } from './webhook-store.ts'

const ROWS_PER_STATEMENT = 500
const MESSAGE_ID_BYTES = 18

const answersColumn = jsonColumn(z.record(z.string(), z.json() as z.ZodType<Json, Json>))
const headersColumn = jsonColumn(z.record(z.string(), z.string()))

export async function insertDeliveries(db: Db, deliveries: readonly NewDelivery[]): Promise<void> {
  for (let start = 0; start < deliveries.length; start += ROWS_PER_STATEMENT) {
    const chunk = deliveries.slice(start, start + ROWS_PER_STATEMENT)
    await db.insertInto('webhook_deliveries').values(chunk.map(toRow)).execute()
  }
}

export interface DueDelivery {
  id: number
  webhookId: number | null
  /** Null when the webhook was deleted. */
  url: string | null
}

/** Pending deliveries whose moment has come, the longest waiting first. On PostgreSQL others' claims are passed over. */
export async function listDueDeliveries(
  db: Db,
  { now, limit, exceptWebhookIds }: { now: Date; limit: number; exceptWebhookIds: readonly number[] },
): Promise<DueDelivery[]> {
  let query = db
    .selectFrom('webhook_deliveries')
    .leftJoin('form_webhooks', 'form_webhooks.id', 'webhook_deliveries.webhook_id')
    .select(['webhook_deliveries.id', 'webhook_deliveries.webhook_id', 'form_webhooks.url'])
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<=', now.toISOString())
    .orderBy('next_attempt_at')
    .orderBy('webhook_deliveries.id')
    .limit(limit)
  if (exceptWebhookIds.length > 0) query = query.where(isOfOtherWebhook(exceptWebhookIds))
  if (engineOf(db) === 'postgres') query = query.forUpdate(['webhook_deliveries']).skipLocked()
  const rows = await query.execute()
  return rows.map(({ id, webhook_id, url }) => ({ id, webhookId: webhook_id, url }))
}

/** The next moment after `after` when a delivery is due, as text; undefined when none waits. */
export async function findNextDueAt(db: Db, { after }: { after: Date }): Promise<string | undefined> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('next_attempt_at')
    .where('status', '=', 'pending')
    .where('next_attempt_at', '>', after.toISOString())
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_attempt_at ?? undefined
}

export async function markDelivering(
  db: Db,
  ids: readonly number[],
  { leaseExpiresAt }: { leaseExpiresAt: Date },
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'delivering', lease_expires_at: leaseExpiresAt.toISOString() })
    .where('id', 'in', ids)
    .execute()
}

/** Makes claimed deliveries pending again: those whose lease ran out, or without `expiredAt` all. */
export async function releaseClaims(db: Db, { expiredAt }: { expiredAt?: Date } = {}): Promise<void> {
  let query = db
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', lease_expires_at: null })
    .where('status', '=', 'delivering')
  if (expiredAt) query = query.where('lease_expires_at', '<=', expiredAt.toISOString())
  await query.execute()
}

/** Claimed deliveries with their submission, form and webhook, in the order of `ids`. */
export async function listDeliveryJobs(db: Db, ids: readonly number[]): Promise<DeliveryJob[]> {
  if (ids.length === 0) return []
  const rows = await selectJobRows(db, ids)
  const webhooks = await findWebhooks(
    db,
    rows.flatMap(({ webhook_id }) => webhook_id ?? []),
  )
  const jobs = new Map(rows.map((row) => [row.id, toJob(row, webhooks)]))
  return ids.flatMap((id) => jobs.get(id) ?? [])
}

export async function storeRequestBody(db: Db, id: number, body: string): Promise<void> {
  await db.updateTable('webhook_deliveries').set({ request_body: body }).where('id', '=', id).execute()
}

export interface DeliveryState {
  status: DeliveryStatus
  attemptCount: number
  nextAttemptAt: Date | null
  outcomeReason: string | null
  finishedAt: Date | null
}

/** Ends a claim with this state. False, and nothing changed, when the claim was lost to somebody else. */
export async function settleClaim(db: Db, job: DeliveryJob, state: DeliveryState): Promise<boolean> {
  const result = await db
    .updateTable('webhook_deliveries')
    .set({
      status: state.status,
      attempt_count: state.attemptCount,
      next_attempt_at: state.nextAttemptAt?.toISOString() ?? null,
      outcome_reason: state.outcomeReason,
      finished_at: state.finishedAt?.toISOString() ?? null,
      lease_expires_at: null,
    })
    .where('id', '=', job.id)
    .where('status', '=', 'delivering')
    .where('lease_expires_at', '=', job.leaseExpiresAt)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function insertAttempt(
  db: Db,
  { deliveryId, attemptNumber, url }: { deliveryId: number; attemptNumber: number; url: string },
  attempt: Attempt,
): Promise<void> {
  const { responseHeaders: headers } = attempt
  const failed = attempt.kind === 'failed' ? attempt : undefined
  await db
    .insertInto('delivery_attempts')
    .values({
      delivery_id: deliveryId,
      attempt_number: attemptNumber,
      started_at: attempt.startedAt.toISOString(),
      duration_ms: attempt.durationMs,
      request_url: url,
      response_status: attempt.status,
      response_headers_json: headers === null ? null : headersColumn.encode(headers),
      response_body: attempt.responseBody,
      failure_kind: failed?.failureKind ?? null,
      failure_message: failed?.message ?? null,
    })
    .execute()
}

function toRow(delivery: NewDelivery) {
  return {
    submission_id: delivery.submissionId,
    form_id: delivery.formId,
    webhook_id: delivery.webhookId,
    status: delivery.status,
    created_at: delivery.createdAt,
    message_id: `msg_${randomBytes(MESSAGE_ID_BYTES).toString('base64url')}`,
    next_attempt_at: delivery.nextAttemptAt,
    outcome_reason: delivery.outcomeReason,
    finished_at: delivery.finishedAt,
  }
}

function isOfOtherWebhook(ids: readonly number[]) {
  return ({ eb, or }: ExpressionBuilder<Schema, 'webhook_deliveries'>) =>
    or([eb('webhook_id', 'is', null), eb('webhook_id', 'not in', ids)])
}

type JobRow = Awaited<ReturnType<typeof selectJobRows>>[number]

async function selectJobRows(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('webhook_deliveries')
    .innerJoin('form_submissions', 'form_submissions.id', 'webhook_deliveries.submission_id')
    .leftJoin('forms', 'forms.id', 'webhook_deliveries.form_id')
    .select(['webhook_deliveries.id', 'webhook_id', 'message_id', 'attempt_count', 'lease_expires_at'])
    .select(['request_body', 'submission_id', 'submitted_at', 'data_json', 'page_path'])
    .select(['service_slug', 'location_slug', 'location_path', 'location_name'])
    .select(['forms.id as form_id', 'forms.slug as form_slug', 'forms.name as form_name'])
    .where('webhook_deliveries.id', 'in', ids)
    .execute()
}

function toJob(row: JobRow, webhooks: ReadonlyMap<number, NonNullable<DeliveryJob['webhook']>>): DeliveryJob {
  return {
    id: row.id,
    // Rows from before the outbox have none; what is sent must not change from attempt to attempt.
    messageId: row.message_id ?? `msg_${row.id}`,
    attemptCount: row.attempt_count,
    leaseExpiresAt: row.lease_expires_at ?? '',
    requestBody: row.request_body,
    webhook: row.webhook_id === null ? undefined : webhooks.get(row.webhook_id),
    submission: toSubmission(row),
    answers: answersColumn.safeDecode(row.data_json).data,
  }
}

function toSubmission(row: JobRow): DeliveryJob['submission'] {
  if (row.form_id === null || row.form_slug === null || row.form_name === null) return undefined
  return {
    id: row.submission_id,
    submittedAt: row.submitted_at,
    pagePath: row.page_path,
    serviceSlug: row.service_slug,
    locationSlug: row.location_slug,
    locationName: row.location_name,
    locationPath: row.location_path,
    form: { id: row.form_id, slug: row.form_slug, name: row.form_name },
  }
}
