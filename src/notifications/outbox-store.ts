import { engineOf } from '../db/dialects.ts'
import type { Db } from '../db/schema.ts'
import type { MailStatus } from '../db/tables/mail-tables.ts'
import type { MailReasonCode } from './mail-reason.ts'

/** The tables of mails that wait to be sent: about leads, and replies to visitors. */
type Outbox = 'notification_mails' | 'reply_mails'

/** A mail that was claimed for sending. */
export interface ClaimedMail {
  id: number
  submissionId: number
  formId: number | null
  recipient: string
  attemptCount: number
  leaseExpiresAt: string
}

export interface MailState {
  status: MailStatus
  attemptCount: number
  nextAttemptAt: Date | null
  lastError: string | null
  reason: MailReasonCode | null
  finishedAt: Date | null
}

/** Marks due mails as being sent, the longest waiting first; call it in a transaction. Others' claims are passed over. */
export async function claimDue(
  db: Db,
  outbox: Outbox,
  { now, limit, leaseMs }: { now: Date; limit: number; leaseMs: number },
): Promise<ClaimedMail[]> {
  const leaseExpiresAt = new Date(now.getTime() + leaseMs).toISOString()
  const due = db
    .selectFrom(outbox)
    .select(['id', 'submission_id', 'form_id', 'recipient', 'attempt_count'])
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<=', now.toISOString())
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(limit)
  const rows = await (engineOf(db) === 'postgres' ? due.forUpdate().skipLocked() : due).execute()
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const claim = { status: 'sending', lease_expires_at: leaseExpiresAt } as const
  await db.updateTable(outbox).set(claim).where('id', 'in', ids).execute()
  return rows.map((row) => ({
    id: row.id,
    submissionId: row.submission_id,
    formId: row.form_id,
    recipient: row.recipient,
    attemptCount: row.attempt_count,
    leaseExpiresAt,
  }))
}

/** When the next mail is due, as text; undefined when none is. */
export async function findNextDueAt(db: Db, outbox: Outbox): Promise<string | undefined> {
  const row = await db
    .selectFrom(outbox)
    .select('next_attempt_at')
    .where('status', '=', 'pending')
    .where('next_attempt_at', 'is not', null)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_attempt_at ?? undefined
}

/** Returns the columns that both outboxes store for this state. */
export function columnsOf(state: MailState) {
  return {
    status: state.status,
    attempt_count: state.attemptCount,
    next_attempt_at: state.nextAttemptAt?.toISOString() ?? null,
    last_error: state.lastError,
    outcome_code: state.reason,
    finished_at: state.finishedAt?.toISOString() ?? null,
    lease_expires_at: null,
  }
}

/** Returns the columns that make a canceled mail due again. */
export function dueAgain(now: Date) {
  return {
    status: 'pending',
    next_attempt_at: now.toISOString(),
    outcome_code: null,
    finished_at: null,
  } as const
}
