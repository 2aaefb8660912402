import { sql } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Db } from '../../db/schema.ts'
import type { MailStatus } from '../../db/tables/mail-tables.ts'
import type { MailReasonCode } from '../mail-reason.ts'

/** A reply to be sent, or `reason` why it is not. */
export interface NewReply {
  submissionId: number
  formId: number
  recipient: string
  limitKey: string
  /** UTC text; it is due at once. */
  createdAt: string
  reason: MailReasonCode | null
}

/** A reply that was claimed for sending. */
export interface ClaimedReply {
  id: number
  submissionId: number
  formId: number | null
  recipient: string
  attemptCount: number
  leaseExpiresAt: string
}

/** Stores the reply to a submission; one that has a row keeps it. */
export async function insertReply(db: Db, reply: NewReply): Promise<void> {
  await db
    .insertInto('reply_mails')
    .values({
      submission_id: reply.submissionId,
      form_id: reply.formId,
      recipient: reply.recipient,
      limit_key: reply.limitKey,
      created_at: reply.createdAt,
      ...(reply.reason === null
        ? { next_attempt_at: reply.createdAt }
        : { status: 'cancelled' as const, outcome_code: reply.reason, finished_at: reply.createdAt }),
    })
    .onConflict((conflict) => conflict.column('submission_id').doNothing())
    .execute()
}

// As a literal: a partial index serves only a value that is known when the statement is prepared.
const COUNTS = sql<boolean>`status <> 'cancelled'`

/** Whether so many replies were planned since that moment, to one address or to all. */
export async function hasReplies(
  db: Db,
  count: number,
  { since, limitKey }: { since: string; limitKey?: string },
): Promise<boolean> {
  let query = db.selectFrom('reply_mails').select('id').where(COUNTS).where('created_at', '>', since)
  if (limitKey !== undefined) query = query.where('limit_key', '=', limitKey)
  const row = await query
    .orderBy('created_at')
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst()
  return row !== undefined
}

/** Marks due replies as being sent; call it in a transaction. Others' claims are passed over. */
export async function claimDueReplies(
  db: Db,
  { now, limit, leaseMs }: { now: Date; limit: number; leaseMs: number },
): Promise<ClaimedReply[]> {
  const leaseExpiresAt = new Date(now.getTime() + leaseMs).toISOString()
  const due = db
    .selectFrom('reply_mails')
    .select(['id', 'submission_id', 'form_id', 'recipient', 'attempt_count'])
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<=', now.toISOString())
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(limit)
  const rows = await (engineOf(db) === 'postgres' ? due.forUpdate().skipLocked() : due).execute()
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  await db
    .updateTable('reply_mails')
    .set({ status: 'sending', lease_expires_at: leaseExpiresAt })
    .where('id', 'in', ids)
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

/**
 * Ends the claims of processes that died, without `expiredAt` all claims: whether their mails went out nobody knows, so
 * they are not sent again.
 */
export async function endAbandonedReplies(
  db: Db,
  { now, expiredAt }: { now: Date; expiredAt?: Date },
): Promise<void> {
  let query = db
    .updateTable('reply_mails')
    .set({
      status: 'failed',
      lease_expires_at: null,
      next_attempt_at: null,
      outcome_code: 'interrupted' satisfies MailReasonCode,
      finished_at: now.toISOString(),
    })
    .where('status', '=', 'sending')
  if (expiredAt) query = query.where('lease_expires_at', '<=', expiredAt.toISOString())
  await query.execute()
}

/** When the next reply is due, as text; undefined when none is. */
export async function findNextReplyAt(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('reply_mails')
    .select('next_attempt_at')
    .where('status', '=', 'pending')
    .where('next_attempt_at', 'is not', null)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_attempt_at ?? undefined
}

export interface ReplyState {
  status: MailStatus
  attemptCount: number
  nextAttemptAt: Date | null
  response: string | null
  lastError: string | null
  reason: MailReasonCode | null
  finishedAt: Date | null
}

/** Ends a claim with this state. Nothing changes when the claim was lost, or the reply is gone. */
export async function settleReply(db: Db, reply: ClaimedReply, state: ReplyState): Promise<void> {
  await db
    .updateTable('reply_mails')
    .set({
      status: state.status,
      attempt_count: state.attemptCount,
      next_attempt_at: state.nextAttemptAt?.toISOString() ?? null,
      response: state.response,
      last_error: state.lastError,
      outcome_code: state.reason,
      finished_at: state.finishedAt?.toISOString() ?? null,
      lease_expires_at: null,
    })
    .where('id', '=', reply.id)
    .where('status', '=', 'sending')
    .where('lease_expires_at', '=', reply.leaseExpiresAt)
    .execute()
}

/** Cancels what was not sent yet to a submission; a reply that is being sent at this moment goes out. */
export async function cancelPendingReply(
  db: Db,
  submissionId: number,
  { now }: { now: Date },
): Promise<void> {
  await db
    .updateTable('reply_mails')
    .set({
      status: 'cancelled',
      next_attempt_at: null,
      outcome_code: 'spam' satisfies MailReasonCode,
      finished_at: now.toISOString(),
    })
    .where('submission_id', '=', submissionId)
    .where('status', '=', 'pending')
    .execute()
}

/** Makes the reply due that was cancelled as its submission was spam. */
export async function reviveReply(db: Db, submissionId: number, { now }: { now: Date }): Promise<void> {
  await db
    .updateTable('reply_mails')
    .set({ status: 'pending', next_attempt_at: now.toISOString(), outcome_code: null, finished_at: null })
    .where('submission_id', '=', submissionId)
    .where('status', '=', 'cancelled')
    .where('outcome_code', '=', 'spam' satisfies MailReasonCode)
    .execute()
}

/** Removes the replies of submissions that are stored in the same transaction. */
export async function deleteReplies(db: Db, submissionIds: readonly number[]): Promise<void> {
  if (submissionIds.length > 0)
    await db.deleteFrom('reply_mails').where('submission_id', 'in', submissionIds).execute()
}
