import { engineOf } from '../db/dialects.ts'
import type { Db } from '../db/schema.ts'
import type { MailStatus } from '../db/tables/mail-tables.ts'
import type { MailReasonCode } from './mail-reason.ts'

const ROWS_PER_STATEMENT = 500

/** A mail to be sent about a submission. */
export interface NewMail {
  submissionId: number
  formId: number
  recipient: string
  /** UTC text; it is due at once. */
  createdAt: string
}

/** A mail that was claimed for sending. */
export interface ClaimedMail {
  id: number
  submissionId: number
  formId: number | null
  recipient: string
  attemptCount: number
  leaseExpiresAt: string
}

export async function insertMails(db: Db, mails: readonly NewMail[]): Promise<void> {
  for (let start = 0; start < mails.length; start += ROWS_PER_STATEMENT) {
    const rows = mails.slice(start, start + ROWS_PER_STATEMENT).map((mail) => ({
      submission_id: mail.submissionId,
      form_id: mail.formId,
      recipient: mail.recipient,
      created_at: mail.createdAt,
      next_attempt_at: mail.createdAt,
    }))
    await db.insertInto('notification_mails').values(rows).execute()
  }
}

/** Marks due mails as being sent, the longest waiting first; call it in a transaction. Others' claims are passed over. */
export async function claimDueMails(
  db: Db,
  { now, limit, leaseMs }: { now: Date; limit: number; leaseMs: number },
): Promise<ClaimedMail[]> {
  await releaseMails(db, { expiredAt: now })
  const leaseExpiresAt = new Date(now.getTime() + leaseMs).toISOString()
  const rows = await selectDue(db, now, limit)
  if (rows.length === 0) return []
  await db
    .updateTable('notification_mails')
    .set({ status: 'sending', lease_expires_at: leaseExpiresAt })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  return rows.map((row) => ({
    id: row.id,
    submissionId: row.submission_id,
    formId: row.form_id,
    recipient: row.recipient,
    attemptCount: row.attempt_count,
    leaseExpiresAt,
  }))
}

/** Makes claimed mails pending again: those whose lease ran out, or without `expiredAt` all. */
export async function releaseMails(db: Db, { expiredAt }: { expiredAt?: Date } = {}): Promise<void> {
  let query = db
    .updateTable('notification_mails')
    .set({ status: 'pending', lease_expires_at: null })
    .where('status', '=', 'sending')
  if (expiredAt) query = query.where('lease_expires_at', '<=', expiredAt.toISOString())
  await query.execute()
}

/** Makes these mails pending again whose claims are still the same. */
export async function returnMails(db: Db, mails: readonly ClaimedMail[]): Promise<void> {
  for (const { id, leaseExpiresAt } of mails)
    await db
      .updateTable('notification_mails')
      .set({ status: 'pending', lease_expires_at: null })
      .where('id', '=', id)
      .where('status', '=', 'sending')
      .where('lease_expires_at', '=', leaseExpiresAt)
      .execute()
}

/** When the next mail is due, as text; undefined when none waits. */
export async function findNextMailAt(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('notification_mails')
    .select('next_attempt_at')
    .where('status', '=', 'pending')
    .where('next_attempt_at', 'is not', null)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_attempt_at ?? undefined
}

export interface MailState {
  status: MailStatus
  attemptCount: number
  nextAttemptAt: Date | null
  lastError: string | null
  reason: MailReasonCode | null
  finishedAt: Date | null
}

/** Ends a claim with this state. Nothing changes when the claim was lost to somebody else, or the mail is gone. */
export async function settleMail(db: Db, mail: ClaimedMail, state: MailState): Promise<boolean> {
  const result = await db
    .updateTable('notification_mails')
    .set({
      status: state.status,
      attempt_count: state.attemptCount,
      next_attempt_at: state.nextAttemptAt?.toISOString() ?? null,
      last_error: state.lastError,
      outcome_code: state.reason,
      finished_at: state.finishedAt?.toISOString() ?? null,
      lease_expires_at: null,
    })
    .where('id', '=', mail.id)
    .where('status', '=', 'sending')
    .where('lease_expires_at', '=', mail.leaseExpiresAt)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** A row of the log: what the mail server said, or what went wrong. */
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

/** Cancels what was not sent yet of a submission; a mail that is being sent at this moment goes out. */
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

/** Makes the mails due that were cancelled for this reason. */
export async function reviveMails(
  db: Db,
  submissionId: number,
  { reason, now }: { reason: MailReasonCode; now: Date },
): Promise<void> {
  await db
    .updateTable('notification_mails')
    .set({ status: 'pending', next_attempt_at: now.toISOString(), outcome_code: null, finished_at: null })
    .where('submission_id', '=', submissionId)
    .where('status', '=', 'cancelled')
    .where('outcome_code', '=', reason)
    .execute()
}

/** Whether there is a mail about the submission, sent or not. */
export async function hasMails(db: Db, submissionId: number): Promise<boolean> {
  const row = await db
    .selectFrom('notification_mails')
    .select('id')
    .where('submission_id', '=', submissionId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function selectDue(db: Db, now: Date, limit: number) {
  const query = db
    .selectFrom('notification_mails')
    .select(['id', 'submission_id', 'form_id', 'recipient', 'attempt_count'])
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<=', now.toISOString())
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(limit)
  return (engineOf(db) === 'postgres' ? query.forUpdate().skipLocked() : query).execute()
}

/** Removes the mails of submissions that are stored in the same transaction. */
export async function deleteMails(db: Db, submissionIds: readonly number[]): Promise<void> {
  if (submissionIds.length === 0) return
  await db.deleteFrom('notification_mails').where('submission_id', 'in', submissionIds).execute()
}
