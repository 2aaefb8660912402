import type { MailReason } from '../messages/mail/outcomes.ts'

/** A reason of today's program. */
export type MailReasonCode = Exclude<MailReason['code'], 'other'>

/** The reason in the columns of a mail; null while it is pending, and when it was sent. */
export function readMailReason(row: {
  outcome_code: string | null
  last_error: string | null
}): MailReason | null {
  const code = row.outcome_code
  if (code === null) return null
  if (code === 'spam' || code === 'refused' || code === 'attempts_failed') return { code }
  return { code: 'other', params: { text: row.last_error ?? code } }
}
