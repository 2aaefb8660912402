import { createMessages, type MessageOf } from '../../lib/messages.ts'

const SENTENCES = {
  spam: () => 'The lead was marked as spam',
  refused: () => 'The mail server rejected the email',
  attempts_failed: () => 'All attempts failed',
  interrupted: () =>
    'Signpost stopped while it was sending the reply. To avoid a duplicate, the reply will not be sent again',
  uncertain: () =>
    'The mail server did not confirm the email. To avoid a duplicate, the reply will not be sent again',
  address_limit: () => 'This address has reached its reply limit',
  site_limit: () => 'This site has reached its reply limit',
  reply_off: () => 'Replies were turned off',
  /** A sentence from before the codes. */
  other: ({ text }: { text: string }) => text,
}

/** Why a mail was canceled or failed. */
export type MailReason = MessageOf<typeof SENTENCES>

/** The sentence of a reason. */
export const describeMailReason = createMessages(SENTENCES)
