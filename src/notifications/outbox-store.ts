import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder } from 'kysely'
import { engineOf } from '../db/dialects.ts'
import type { Db, Schema } from '../db/schema.ts'
import type { MailStatus } from '../db/tables/mail-tables.ts'
import type { LeasedClaim } from '../lib/background/lease-watch.ts'
import type { MailReasonCode } from './mail-reason.ts'

/** The outboxes: emails about leads, and replies to visitors. */
export type Outbox = 'notification_mails' | 'reply_mails'

/** An email claimed for sending. */
export interface ClaimedMail {
  id: number
  submissionId: number
  formId: number | null
  recipient: string
  attemptCount: number
  leaseExpiresAt: string
  /** Identifies the claim: a process can end only its own. */
  claim: string
}

export interface MailState {
  status: MailStatus
  attemptCount: number
  nextAttemptAt: Date | null
  lastError: string | null
  reason: MailReasonCode | null
  finishedAt: Date | null
}

/** Claims due emails, longest waiting first, skipping others' claims. Call it in a transaction. */
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
  const claim = randomUUID()
  const claimed = { status: 'sending', lease_expires_at: leaseExpiresAt, claimed_by: claim } as const
  await db.updateTable(outbox).set(claimed).where('id', 'in', ids).execute()
  return rows.map((row) => ({
    id: row.id,
    submissionId: row.submission_id,
    formId: row.form_id,
    recipient: row.recipient,
    attemptCount: row.attempt_count,
    leaseExpiresAt,
    claim,
  }))
}

/** Extends the leases of claims, which shows other servers that their owner is alive. */
export async function renewMailClaims(
  db: Db,
  outbox: Outbox,
  { claims, leaseExpiresAt }: { claims: readonly string[]; leaseExpiresAt: Date },
): Promise<void> {
  await db
    .updateTable(outbox)
    .set({ lease_expires_at: leaseExpiresAt.toISOString() })
    .where('status', '=', 'sending')
    .where('claimed_by', 'in', claims)
    .execute()
}

/** Lists the claims whose owners renew them. */
export async function listMailClaims(db: Db, outbox: Outbox): Promise<LeasedClaim[]> {
  const rows = await db
    .selectFrom(outbox)
    .select(['id', 'lease_expires_at'])
    .where('status', '=', 'sending')
    .where('claimed_by', 'is not', null)
    .execute()
  return rows.map(({ id, lease_expires_at }) => ({ id, leaseExpiresAt: lease_expires_at ?? '' }))
}

/** Returns when the next email is due, as text; undefined if none is. */
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
    claimed_by: null,
  }
}

/** Returns the columns that make a canceled email due again. */
export function dueAgain(now: Date) {
  return {
    status: 'pending',
    next_attempt_at: now.toISOString(),
    outcome_code: null,
    finished_at: null,
  } as const
}

/** The columns of an email that nobody is sending. */
export const UNCLAIMED = { status: 'pending', lease_expires_at: null, claimed_by: null } as const

/** The states of an email that didn't go out and won't by itself. */
export const UNSENT: readonly MailStatus[] = ['failed', 'cancelled']

/** A condition for the emails of these claims, unless they were renewed since. */
export function isOneOf(claims: readonly LeasedClaim[]) {
  const ids = [0, ...claims.map(({ id }) => id)]
  const leases = ['', ...claims.map(({ leaseExpiresAt }) => leaseExpiresAt)]
  return ({ eb, and }: ExpressionBuilder<Schema, Outbox>) =>
    and([eb('id', 'in', ids), eb('lease_expires_at', 'in', leases)])
}
