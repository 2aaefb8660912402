import type { Insertable, Selectable } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../db/schema.ts'
import { jsonColumn } from './json-column.ts'
import { redactHeaders } from './redact-headers.ts'
import type { Attempt, AttemptRequest } from './send-attempt.ts'

const ROWS_PER_STATEMENT = 100

const headersColumn = jsonColumn(z.record(z.string(), z.string()))

/** An attempt that was made, as it goes into the log. */
export interface NewAttempt {
  deliveryId: number
  attemptNumber: number
  request: AttemptRequest
  attempt: Attempt
}

/** An attempt of the log: what was sent, when, and what the receiver said. */
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
  for (let start = 0; start < attempts.length; start += ROWS_PER_STATEMENT) {
    const chunk = attempts.slice(start, start + ROWS_PER_STATEMENT)
    await db.insertInto('delivery_attempts').values(chunk.map(toRow)).execute()
  }
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
    request_headers_json: headersColumn.encode(redactHeaders(request.headers)),
    response_status: attempt.status,
    response_headers_json: headers === null ? null : headersColumn.encode(headers),
    response_body: attempt.responseBody,
    failure_kind: failed?.failureKind ?? null,
    failure_message: failed?.message ?? null,
  } satisfies Insertable<Schema['delivery_attempts']>
}

function toAttempt(row: Selectable<Schema['delivery_attempts']>): LoggedAttempt {
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
