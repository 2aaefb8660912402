import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { LeasedClaim } from '../../lib/background/lease-watch.ts'
import type { MailReasonCode } from '../mail-reason.ts'
import { type ClaimedMail, columnsOf, dueAgain, isOneOf, type MailState, UNSENT } from '../outbox-store.ts'

/** A reply to send, or the `reason` why it isn't sent. */
export interface NewReply {
  submissionId: number
  formId: number
  recipient: string
  limitKey: string
  /** UTC text; due immediately. */
  createdAt: string
  reason: MailReasonCode | null
}

/** Stores the reply to a submission. An existing row stays. */
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

// Inlined: a partial index is used only for values known when the statement is prepared.
const COUNTS = sql<boolean>`status <> 'cancelled'`

/** Returns whether that many replies besides one were planned since that time, to one address or to all. */
export async function hasReplies(
  db: Db,
  count: number,
  { since, limitKey, besides }: { since: string; limitKey?: string; besides?: number | undefined },
): Promise<boolean> {
  let query = db.selectFrom('reply_mails').select('id').where(COUNTS).where('created_at', '>', since)
  if (limitKey !== undefined) query = query.where('limit_key', '=', limitKey)
  if (besides !== undefined) query = query.where('id', '!=', besides)
  const row = await query
    .orderBy('created_at')
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Ends the claims of dead processes; without `expiredAt`, all claims. Nobody knows whether their emails went out, so
 * they aren't sent again.
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
  /** The mail server's response. */
  response: string | null
}

/** Ends a claim with this state. Does nothing if the claim was lost or the reply was deleted. */
export async function settleReply(db: Db, reply: ClaimedMail, state: ReplyState): Promise<void> {
  await db
    .updateTable('reply_mails')
    .set({ ...columnsOf(state), response: state.response })
    .where('id', '=', reply.id)
    .where('status', '=', 'sending')
    .where('claimed_by', '=', reply.claim)
    .execute()
}

/** Cancels a submission's unsent reply. One that is being sent still goes out. */
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

/** Makes a reply due that was canceled because its submission was spam. */
export async function reviveReply(db: Db, submissionId: number, { now }: { now: Date }): Promise<void> {
  await db
    .updateTable('reply_mails')
    .set(dueAgain(now))
    .where('submission_id', '=', submissionId)
    .where('status', '=', 'cancelled')
    .where('outcome_code', '=', 'spam' satisfies MailReasonCode)
    .execute()
}

/** Returns a submission's reply, or undefined. */
export async function findReply(db: Db, submissionId: number) {
  return db
    .selectFrom('reply_mails')
    .select(['id', 'recipient', 'status', 'outcome_code as reason', 'created_at as dueFrom'])
    .where('submission_id', '=', submissionId)
    .executeTakeFirst()
}

/** Makes an unsent reply due again and counts it as a new one for the limits. Returns false if it isn't unsent. */
export async function retryReply(db: Db, id: number, { now }: { now: Date }): Promise<boolean> {
  const result = await db
    .updateTable('reply_mails')
    .set({ ...dueAgain(now), created_at: now.toISOString() })
    .where('id', '=', id)
    .where('status', 'in', UNSENT)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Deletes the replies of submissions stored in the same transaction. */
export async function deleteReplies(db: Db, submissionIds: readonly number[]): Promise<void> {
  if (submissionIds.length > 0)
    await db.deleteFrom('reply_mails').where('submission_id', 'in', submissionIds).execute()
}
