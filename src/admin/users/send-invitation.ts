import type { APIContext } from 'astro'
import { INVITATION_HOURS } from '../../auth/password-links/invitations.ts'
import { invitationMail } from '../../messages/mail/accounts.ts'
import { logTexts } from '../../messages/server/log.ts'
import { findMailSite } from '../../server/accounts/mail-site.ts'
import { getAdministrator } from '../kit/page-context.ts'

/** An invitation as shown to the administrator, once. */
export interface SentInvitation {
  email: string
  link: string
  /** `off` without a mail server. */
  mail: 'sent' | 'failed' | 'off'
}

/** Emails the link of an invitation, if a mail server is set up. */
export async function sendInvitation(
  context: Pick<APIContext, 'locals' | 'url'>,
  { email, token }: { email: string; token: string },
): Promise<SentInvitation> {
  const { db, config, accountMail, log } = context.locals.app
  const link = `${config.adminUrl}/admin/invitation/${token}`
  if (!accountMail) return { email, link, mail: 'off' }
  const site = await findMailSite(db, config)
  const { name, email: own } = getAdministrator(context)
  const by = name ? `${name} (${own})` : own
  const outcome = await accountMail({
    recipient: email,
    ...invitationMail({ by, ...site, link, hours: INVITATION_HOURS }),
  })
  if (outcome.kind === 'sent') return { email, link, mail: 'sent' }
  log.warn({ failure: outcome.message }, logTexts.invitationFailed)
  return { email, link, mail: 'failed' }
}
