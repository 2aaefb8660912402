import type { APIContext } from 'astro'
import { logTexts } from '../../messages/server/log.ts'
import { tellUser } from '../../server/accounts/tell-user.ts'
import { getAdministrator } from '../kit/page-context.ts'

/**
 * Emails the signed-in user what changed about their sign-in, in case it was someone else. A failed email undoes
 * nothing.
 */
export async function tellOwnUser(
  context: Pick<APIContext, 'locals'>,
  kind: 'passkey_added' | 'passkey_removed',
  passkey: string,
): Promise<void> {
  const { email } = getAdministrator(context)
  const { db, accountMail, config, log } = context.locals.app
  const told = await tellUser(accountMail, { kind, email, by: passkey }, { db, config })
  if (told?.kind === 'failed') log.warn({ failure: told.message }, logTexts.accountMailFailed)
}
