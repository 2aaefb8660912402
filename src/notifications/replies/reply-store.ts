import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { LeasedClaim } from '../../lib/background/lease-watch.ts'
import type { MailReasonCode } from '../mail-reason.ts'
import { type ClaimedMail, columnsOf, dueAgain, isOneOf, type MailState } from '../outbox-store.ts'

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

/** Returns whether that number of replies was planned since that moment, to one address or to all. */
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

/**
 * Ends the claims of processes that died, without `expiredAt` all claims: whether their mails went out nobody knows, so
 * they are not sent again.
 */
export async function endAbandonedReplies(
  db: Db,
  { now, expiredAt, dead }: { now: Date; expiredAt?: Date; dead?: readonly LeasedClaim[] },
): Promise<void> {
  let query = db
    .updateTable('reply_mails')
    .set({
      status: 'failed',
      lease_expires_at: null,
      claimed_by: null,
      next_attempt_at: null,
      outcome_code: 'interrupted' satisfies MailReasonCode,
      finished_at: now.toISOString(),
    })
    .where('status', '=', 'sending')
  if (expiredAt)
    query = query.where('lease_expires_at', '<=', expiredAt.toISOString()).where('claimed_by', 'is', null)
  if (dead) query = query.where(isOneOf(dead))
  await query.execute()
}

export interface ReplyState extends MailState {
  /** Answer of the mail server. */
  response: string | null
}

/** Ends a claim with this state. Nothing changes when the claim was lost, or the reply is gone. */
export async function settleReply(db: Db, reply: ClaimedMail, state: ReplyState): Promise<void> {
  await db
    .updateTable('reply_mails')
    .set({ ...columnsOf(state), response: state.response })
    .where('id', '=', reply.id)
    .where('status', '=', 'sending')
    .where('claimed_by', '=', reply.claim)
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

/** Makes the reply due that was canceled as its submission was spam. */
export async function reviveReply(db: Db, submissionId: number, { now }: { now: Date }): Promise<void> {
  await db
    .updateTable('reply_mails')
    .set(dueAgain(now))
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
