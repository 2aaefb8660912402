import type { Generated } from 'kysely'

export type MailStatus = 'pending' | 'sending' | 'sent' | 'failed' | 'cancelled'

// A type alias, because declarations of the package spell it out instead of naming it.
type Outbox = {
  id: Generated<number>
  submission_id: number
  form_id: number | null
  recipient: string
  status: Generated<MailStatus>
  created_at: string
  attempt_count: Generated<number>
  next_attempt_at: string | null
  /** Changes with each renewal of the claim. */
  lease_expires_at: string | null
  /** Names the claim; null without one, or if an older program made it. */
  claimed_by: string | null
  /** Error of the last attempt. */
  last_error: string | null
  /** Why it failed or was canceled; see src/notifications/mail-reason.ts. */
  outcome_code: string | null
  finished_at: string | null
}

export interface MailTables {
  notification_mails: Outbox
  mail_attempts: {
    id: Generated<number>
    mail_id: number
    attempt_number: number
    started_at: string
    duration_ms: number
    /** Answer of the mail server that accepted the mail. */
    response: string | null
    failure_message: string | null
  }
  /** At most one per submission; see src/notifications/replies. */
  reply_mails: Outbox & {
    /** The address in the normalized form that limits use. */
    limit_key: string
    /** Answer of the mail server that accepted the mail. */
    response: string | null
  }
}
