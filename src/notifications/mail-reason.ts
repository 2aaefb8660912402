import type { MailReason } from '../messages/mail/outcomes.ts'

/** A reason known to this version of the program. */
export type MailReasonCode = Exclude<MailReason['code'], 'other'>

const CODES: readonly MailReasonCode[] = [
  ...(['spam', 'refused', 'attempts_failed'] as const),
  ...(['interrupted', 'uncertain', 'address_limit', 'site_limit', 'reply_off'] as const),
]

/** Returns the reason stored with an email; null while it is pending and after it was sent. */
export function readMailReason(row: {
  outcome_code: string | null
  last_error: string | null
}): MailReason | null {
  const code = row.outcome_code
  if (code === null) return null
  if (isReasonCode(code)) return { code }
  return { code: 'other', params: { text: row.last_error ?? code } }
}

function isReasonCode(code: string): code is MailReasonCode {
  return CODES.some((known) => known === code)
}
