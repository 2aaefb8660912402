import type { Config } from '../../config.ts'
import type { Db } from '../../db/schema.ts'
import { accountChangeMail } from '../../messages/mail/accounts.ts'
import type { MailOutcome } from '../../notifications/send-mail.ts'
import type { SendAccountMail } from './account-mail.ts'
import { findMailSite } from './mail-site.ts'

/** A change to a user's sign-in: by someone else, through a link, or of a passkey by the user. */
export interface AccountChange {
  kind: 'two_factors_reset' | 'password_set' | 'password_reset' | 'passkey_added' | 'passkey_removed'
  email: string
  /** Author of the change, such as `ann@example.com`; empty for a link; the name of a passkey. */
  by: string
}

/** Emails a user about a change; undefined without a mail server. The change stays even if the email fails. */
export async function tellUser(
  send: SendAccountMail | undefined,
  { kind, email, by }: AccountChange,
  { db, config }: { db: Db; config: Pick<Config, 'siteUrl'> },
): Promise<MailOutcome | undefined> {
  const site = await findMailSite(db, config)
  return send?.({ recipient: email, ...accountChangeMail(kind, { by, ...site }) })
}
