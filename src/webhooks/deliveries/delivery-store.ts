import { randomBytes } from 'node:crypto'
import type { CompiledQuery, Insertable } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { insertRows } from '../../db/statements/insert-rows.ts'
import { toRow } from '../../db/tables/columns.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import { findSubjects, type StoredSubject } from '../body/submission-subject-store.ts'
import type { DueRow } from '../dispatching/delivery-queue-store.ts'
import { skipColumns } from '../reasons/reason-columns.ts'
import type { DeliveryJob, NewDelivery } from './delivery.ts'
import { insertBodies } from './delivery-body-store.ts'

const MESSAGE_ID_BYTES = 18

/** Inserts the deliveries of submissions, each with its own `webhook-id`. */
export async function insertDeliveries(db: Db, deliveries: readonly NewDelivery[]): Promise<void> {
  for (const query of deliveryInserts(db, deliveries)) await db.executeQuery(query)
}

/** The statements of `insertDeliveries`. */
export function deliveryInserts(db: Db, deliveries: readonly NewDelivery[]): CompiledQuery[] {
  return Array.from(chunksOf(deliveries), (chunk) =>
    insertRows(db, 'webhook_deliveries', chunk.map(toNewRow)).compile(),
  )
}

/** A delivery that a person asked for: due now. */
export interface RequestedDelivery {
  /** Null in a test with sample answers. */
  submissionId: number | null
  formId: number | null
  webhookId: number
  isTest: boolean
  /** The delivery that is sent again. */
  replayOf: number | null
  /** Undefined: a new one. */
  messageId?: string
  /** Null: rendered at its first attempt. */
  body: string | null
}

/** In a transaction. */
export async function insertRequestedDelivery(
  db: Db,
  { body, messageId = newMessageId(), ...columns }: RequestedDelivery,
  { now }: { now: Date },
): Promise<number> {
  const at = now.toISOString()
  const row = await db
    .insertInto('webhook_deliveries')
    .values(toRow({ status: 'pending' as const, createdAt: at, nextAttemptAt: at, messageId, ...columns }))
    .returning('id')
    .executeTakeFirstOrThrow()
  if (body !== null) await insertBodies(db, [{ deliveryId: row.id, body }])
  return row.id
}

/** Due deliveries with what their bodies are rendered from, in the same order. */
export async function readJobs(db: Db, rows: readonly DueRow[]): Promise<DeliveryJob[]> {
  // A rendered body is sent unchanged.
  const unrendered = rows.filter(({ body }) => body === null)
  const submissionIds = unrendered.flatMap(({ submission_id: id }) => id ?? [])
  const subjects = await findSubjects(db, [...new Set(submissionIds)])
  return rows.map((row) =>
    toJob(row, row.submission_id === null ? undefined : subjects.get(row.submission_id)),
  )
}

/** Returns whether a delivery still exists. */
export async function hasDelivery(db: Db, id: number): Promise<boolean> {
  const row = await db.selectFrom('webhook_deliveries').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** Returns whether a submission has deliveries already, tests not counted. */
export async function hasDeliveries(db: Db, submissionId: number): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('submission_id', '=', submissionId)
    .where('is_test', '=', 0)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

// Written by hand because every post waits for it.
function toNewRow(delivery: NewDelivery): Insertable<Schema['webhook_deliveries']> {
  return {
    submission_id: delivery.submissionId,
    form_id: delivery.formId,
    webhook_id: delivery.webhookId,
    status: delivery.status,
    created_at: delivery.createdAt,
    message_id: newMessageId(),
    next_attempt_at: delivery.nextAttemptAt,
    ...skipColumns(delivery.reason),
    finished_at: delivery.finishedAt,
  }
}

function newMessageId(): string {
  return `msg_${randomBytes(MESSAGE_ID_BYTES).toString('base64url')}`
}

function toJob(row: DueRow, subject: StoredSubject | undefined): DeliveryJob {
  return {
    id: row.id,
    // Rows older than the outbox have no body; the bytes must not change between attempts.
    messageId: row.message_id ?? `msg_${row.id}`,
    attemptCount: row.attempt_count,
    requestBody: row.body,
    isTest: row.is_test === 1,
    submissionId: row.submission_id,
    webhookId: row.webhook_id,
    submission: subject?.submission,
    answers: subject?.answers,
    choices: subject?.choices,
  }
}
