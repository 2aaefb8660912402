import type { CompiledQuery } from 'kysely'
import type { Db } from '../db/schema.ts'
import type { LeasedClaim } from '../lib/background/lease-watch.ts'
import { chunksOf } from '../lib/in-parts.ts'
import type { MailReasonCode } from './mail-reason.ts'
import {
  type ClaimedMail,
  claimDue,
  columnsOf,
  dueAgain,
  isOneOf,
  type MailState,
  UNCLAIMED,
  UNSENT,
} from './outbox-store.ts'

/** An email about a submission, to be sent. */
export interface NewMail {
  submissionId: number
  formId: number
  recipient: string
  /** UTC text; due immediately. */
  createdAt: string
}

export async function insertMails(db: Db, mails: readonly NewMail[]): Promise<void> {
  for (const query of mailInserts(db, mails)) await db.executeQuery(query)
}

/** Returns the statements of `insertMails`. */
export function mailInserts(db: Db, mails: readonly NewMail[]): CompiledQuery[] {
  return Array.from(chunksOf(mails), (chunk) => {
    const rows = chunk.map((mail) => ({
      submission_id: mail.submissionId,
      form_id: mail.formId,
      recipient: mail.recipient,
      created_at: mail.createdAt,
      next_attempt_at: mail.createdAt,
    }))
    return db.insertInto('notification_mails').values(rows).compile()
  })
}

/**
 * Releases emails whose claims by an older program have expired, then claims what is due. Call it in a transaction.
 */
export async function claimDueMails(
  db: Db,
  claim: { now: Date; limit: number; leaseMs: number },
): Promise<ClaimedMail[]> {
  const { now } = claim
  await releaseMails(db, { expiredAt: now })
  return claimDue(db, 'notification_mails', claim)
}

/**
 * Releases claimed emails: all, those of an older program whose lease expired, or those whose claims nobody renewed.
 */
export async function releaseMails(
  db: Db,
  { expiredAt, dead }: { expiredAt?: Date; dead?: readonly LeasedClaim[] } = {},
): Promise<void> {
  let query = db.updateTable('notification_mails').set(UNCLAIMED).where('status', '=', 'sending')
  if (expiredAt)
    query = query.where('lease_expires_at', '<=', expiredAt.toISOString()).where('claimed_by', 'is', null)
  if (dead) query = query.where(isOneOf(dead))
  await query.execute()
}

/** Releases these emails if their claims are still the same. */
export async function returnMails(db: Db, mails: readonly ClaimedMail[]): Promise<void> {
  for (const { id, claim } of mails)
    await db
      .updateTable('notification_mails')
      .set(UNCLAIMED)
      .where('id', '=', id)
      .where('status', '=', 'sending')
      .where('claimed_by', '=', claim)
      .execute()
}

/** Ends a claim with this state. Does nothing if the claim was lost to another process or the email was deleted. */
export async function settleMail(db: Db, mail: ClaimedMail, state: MailState): Promise<boolean> {
  const result = await db
    .updateTable('notification_mails')
    .set(columnsOf(state))
    .where('id', '=', mail.id)
    .where('status', '=', 'sending')
    .where('claimed_by', '=', mail.claim)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** A row of the log: the mail server's response, or the error. */
export interface MailAttempt {
  startedAt: Date
  durationMs: number
  response: string | null
  failureMessage: string | null
}

export async function insertMailAttempt(
  db: Db,
  { id, attemptNumber }: { id: number; attemptNumber: number },
  attempt: MailAttempt,
): Promise<void> {
  await db
    .insertInto('mail_attempts')
    .values({
      mail_id: id,
      attempt_number: attemptNumber,
      started_at: attempt.startedAt.toISOString(),
      duration_ms: attempt.durationMs,
      response: attempt.response,
      failure_message: attempt.failureMessage,
    })
    .execute()
}

/** Cancels a submission's pending emails. One that is being sent still goes out. */
export async function cancelPendingMails(
  db: Db,
  submissionId: number,
  { reason, now }: { reason: MailReasonCode; now: Date },
): Promise<void> {
  await db
    .updateTable('notification_mails')
    .set({
      status: 'cancelled',
      next_attempt_at: null,
      last_error: null,
      outcome_code: reason,
      finished_at: now.toISOString(),
    })
    .where('submission_id', '=', submissionId)
    .where('status', '=', 'pending')
    .execute()
}

/** Makes the emails due that were canceled for this reason. */
export async function reviveMails(
  db: Db,
  submissionId: number,
  { reason, now }: { reason: MailReasonCode; now: Date },
): Promise<void> {
  await db
    .updateTable('notification_mails')
    .set(dueAgain(now))
    .where('submission_id', '=', submissionId)
    .where('status', '=', 'cancelled')
    .where('outcome_code', '=', reason)
    .execute()
}

/** Returns an email about a submission, or undefined. */
export async function findMail(db: Db, id: number, { submissionId }: { submissionId: number }) {
  return db
    .selectFrom('notification_mails')
    .select(['id', 'recipient', 'status'])
    .where('id', '=', id)
    .where('submission_id', '=', submissionId)
    .executeTakeFirst()
}

/** Makes an unsent email due again. Returns false if it isn't unsent. */
export async function retryMail(db: Db, id: number, { now }: { now: Date }): Promise<boolean> {
  const result = await db
    .updateTable('notification_mails')
    .set(dueAgain(now))
    .where('id', '=', id)
    .where('status', 'in', UNSENT)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Returns whether the submission has a mail, sent or not. */
export async function hasMails(db: Db, submissionId: number): Promise<boolean> {
  const row = await db
    .selectFrom('notification_mails')
    .select('id')
    .where('submission_id', '=', submissionId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the statements that delete the emails of submissions stored in the same transaction. */
export function mailDeletes(db: Db, submissionIds: readonly number[]): CompiledQuery[] {
  if (submissionIds.length === 0) return []
  return [db.deleteFrom('notification_mails').where('submission_id', 'in', submissionIds).compile()]
}
