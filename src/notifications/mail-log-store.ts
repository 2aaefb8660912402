import type { Db } from '../db/schema.ts'
import type { MailStatus } from '../db/tables/mail-tables.ts'
import type { MailReason } from '../messages/mail/outcomes.ts'
import { readMailReason } from './mail-reason.ts'

/** A mail about a submission, and how its sending went. */
export interface LoggedMail {
  id: number
  recipient: string
  status: MailStatus
  /** UTC text, while it waits. */
  nextAttemptAt: string | null
  /** Why it failed or was cancelled. */
  reason: MailReason | null
  /** Oldest first. */
  attempts: LoggedMailAttempt[]
}

interface LoggedMailAttempt {
  attemptNumber: number
  startedAt: string
  durationMs: number
  /** What the mail server said when it took the mail. */
  response: string | null
  failureMessage: string | null
}

/** The mails about a submission with their attempts, oldest first. */
export async function listMails(db: Db, submissionId: number): Promise<LoggedMail[]> {
  const rows = await db
    .selectFrom('notification_mails')
    .select(['id', 'recipient', 'status', 'next_attempt_at', 'last_error', 'outcome_code'])
    .where('submission_id', '=', submissionId)
    .orderBy('id')
    .execute()
  const attempts = await listAttempts(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    recipient: row.recipient,
    status: row.status,
    nextAttemptAt: row.next_attempt_at,
    reason: readMailReason(row),
    attempts: attempts.get(row.id) ?? [],
  }))
}

async function listAttempts(db: Db, mailIds: readonly number[]): Promise<Map<number, LoggedMailAttempt[]>> {
  if (mailIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('mail_attempts')
    .selectAll()
    .where('mail_id', 'in', mailIds)
    .orderBy('id')
    .execute()
  const attempts = rows.map((row) => ({
    mailId: row.mail_id,
    attemptNumber: row.attempt_number,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    response: row.response,
    failureMessage: row.failure_message,
  }))
  return Map.groupBy(attempts, ({ mailId }) => mailId)
}
