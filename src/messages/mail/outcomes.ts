import { createMessages, type MessageOf } from '../../lib/messages.ts'

const SENTENCES = {
  spam: () => 'The lead was marked as spam',
  refused: () => 'The mail server refused the mail',
  attempts_failed: () => 'All attempts failed',
  /** A sentence from before the codes. */
  other: ({ text }: { text: string }) => text,
}

/** Why a mail was canceled or failed. */
export type MailReason = MessageOf<typeof SENTENCES>

/** The sentence of a reason. */
export const describeMailReason = createMessages(SENTENCES)
