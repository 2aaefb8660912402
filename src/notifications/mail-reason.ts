import { createMessages, type MessageOf } from '../lib/messages.ts'

const SENTENCES = {
  spam: () => 'The submission was marked as spam',
  refused: () => 'The mail server refused the mail',
  attempts_failed: () => 'All attempts failed',
  /** A sentence from before the codes. */
  other: ({ text }: { text: string }) => text,
}

/** Why a mail was canceled or failed. */
export type MailReason = MessageOf<typeof SENTENCES>

/** A reason of today's program. */
export type MailReasonCode = Exclude<MailReason['code'], 'other'>

/** The sentence of a reason. */
export const describeMailReason = createMessages(SENTENCES)

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
