import type { MailOutcome } from '../../notifications/send-mail.ts'
import type { SendAccountMail } from './account-mail.ts'

/** What somebody else changed about the sign-in of a user. */
export interface AccountChange {
  kind: 'two_factors_reset' | 'password_set'
  email: string
  /** Who made it, such as `ann@example.com`. */
  by: string
}

const WORDS = {
  two_factors_reset: {
    subject: 'Two-step sign-in was reset',
    text: 'reset two-step sign-in of your account. Your password alone signs you in until you set it up again.',
  },
  password_set: { subject: 'Your password was replaced', text: 'set a new password for your account.' },
} as const

/** Mails a user what somebody else changed; undefined without a mail server. A mail that fails undoes nothing. */
export async function tellUser(
  send: SendAccountMail | undefined,
  { kind, email, by }: AccountChange,
  { siteUrl }: { siteUrl: string },
): Promise<MailOutcome | undefined> {
  const { host } = new URL(siteUrl)
  const { subject, text } = WORDS[kind]
  return send?.({
    recipient: email,
    subject: `${subject} (${host})`,
    text: [
      `${by} ${text}`,
      `This is about your account at ${host}. Every browser was signed out.`,
      "If you didn't ask for this, tell the other administrators at once.\n",
    ].join('\n\n'),
  })
}
