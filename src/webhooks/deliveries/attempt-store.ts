import type { Insertable, Selectable } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../../db/schema.ts'
import { insertAll } from '../../db/statements/insert-rows.ts'
import { jsonColumn } from '../../lib/json-column.ts'
import type { ShownRequest } from '../sending/delivery-request.ts'
import type { Attempt } from '../sending/send-attempt.ts'

const headersColumn = jsonColumn(z.record(z.string(), z.string()))

/** A finished attempt for the log. */
export interface NewAttempt {
  deliveryId: number
  attemptNumber: number
  request: ShownRequest
  attempt: Attempt
}

/** A logged attempt: the request, its time, and the response. */
export interface LoggedAttempt {
  attemptNumber: number
  startedAt: string
  durationMs: number
  /** Null in attempts older than the column. */
  method: string | null
  url: string
  /** Secrets shown as dots; null in attempts older than the column. */
  requestHeaders: Record<string, string> | null
  /** Null when no answer came. */
  status: number | null
  responseHeaders: Record<string, string> | null
  /** The first 4 KiB. */
  responseBody: string | null
  failureKind: string | null
  failureMessage: string | null
}

export async function insertAttempts(db: Db, attempts: readonly NewAttempt[]): Promise<void> {
  await insertAll(db, 'delivery_attempts', attempts.map(toRow))
}

/** Returns whether this attempt is in the log. */
export async function hasAttempt(
  db: Db,
  { deliveryId, attemptNumber, attempt }: NewAttempt,
): Promise<boolean> {
  const row = await db
    .selectFrom('delivery_attempts')
    .select('id')
    .where('delivery_id', '=', deliveryId)
    .where('attempt_number', '=', attemptNumber)
    .where('started_at', '=', attempt.startedAt.toISOString())
    .executeTakeFirst()
  return row !== undefined
}

/** The attempts of a delivery, oldest first. */
export async function listAttempts(db: Db, deliveryId: number): Promise<LoggedAttempt[]> {
  const query = db.selectFrom('delivery_attempts').selectAll().where('delivery_id', '=', deliveryId)
  return (await query.orderBy('id').execute()).map(toAttempt)
}

function toRow({ deliveryId, attemptNumber, request, attempt }: NewAttempt) {
  const { responseHeaders: headers } = attempt
  const failed = attempt.kind === 'failed' ? attempt : undefined
  return {
    delivery_id: deliveryId,
    attempt_number: attemptNumber,
    started_at: attempt.startedAt.toISOString(),
    duration_ms: attempt.durationMs,
    request_method: request.method,
    request_url: request.url,
    request_headers_json: JSON.stringify(request.headers),
    response_status: attempt.status,
    response_headers_json: headers === null ? null : JSON.stringify(headers),
    response_body: attempt.responseBody,
    failure_kind: failed?.failureKind ?? null,
    failure_message: failed?.message ?? null,
  } satisfies Insertable<Schema['delivery_attempts']>
}

/** The columns that `toAttempt` reads. */
export const ATTEMPT_COLUMNS = [
  ...(['attempt_number', 'started_at', 'duration_ms', 'request_method', 'request_url'] as const),
  ...(['request_headers_json', 'response_status', 'response_headers_json', 'response_body'] as const),
  ...(['failure_kind', 'failure_message'] as const),
] as const

type AttemptRow = Pick<Selectable<Schema['delivery_attempts']>, (typeof ATTEMPT_COLUMNS)[number]>

/** Returns a row of the log as an attempt. */
export function toAttempt(row: AttemptRow): LoggedAttempt {
  return {
    attemptNumber: row.attempt_number,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    method: row.request_method,
    url: row.request_url,
    requestHeaders: readHeaders(row.request_headers_json),
    status: row.response_status,
    responseHeaders: readHeaders(row.response_headers_json),
    responseBody: row.response_body,
    failureKind: row.failure_kind,
    failureMessage: row.failure_message,
  }
}

function readHeaders(text: string | null): Record<string, string> | null {
  return text === null ? null : (headersColumn.safeDecode(text).data ?? null)
}
