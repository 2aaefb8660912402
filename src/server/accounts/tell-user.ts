import { accountChangeMail } from '../../messages/mail/accounts.ts'
import type { MailOutcome } from '../../notifications/send-mail.ts'
import type { SendAccountMail } from './account-mail.ts'

/** Change to the sign-in of a user: by someone else, with a link, or of a passkey by who is signed in. */
export interface AccountChange {
  kind: 'two_factors_reset' | 'password_set' | 'password_reset' | 'passkey_added' | 'passkey_removed'
  email: string
  /** Author of the change, such as `ann@example.com`; empty for a link; the name of a passkey. */
  by: string
}

/** Mails a user what was changed; undefined without a mail server. A mail that fails undoes nothing. */
export async function tellUser(
  send: SendAccountMail | undefined,
  { kind, email, by }: AccountChange,
  { siteUrl }: { siteUrl: string },
): Promise<MailOutcome | undefined> {
  const { host } = new URL(siteUrl)
  return send?.({ recipient: email, ...accountChangeMail(kind, { by, host }) })
}
