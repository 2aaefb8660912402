import type { APIContext } from 'astro'
import { INVITATION_HOURS } from '../../auth/invitations/invitations.ts'
import { getAdministrator } from '../kit/page-context.ts'

/** An invitation as the administrator sees it, once. */
export interface SentInvitation {
  email: string
  link: string
  /** `off` without a mail server. */
  mail: 'sent' | 'failed' | 'off'
}

/** Mails the link of an invitation, where a mail server is set up. */
export async function sendInvitation(
  context: Pick<APIContext, 'locals' | 'url'>,
  { email, token }: { email: string; token: string },
): Promise<SentInvitation> {
  const { config, accountMail, log } = context.locals.app
  const link = `${config.adminUrl}/admin/invitation/${token}`
  if (!accountMail) return { email, link, mail: 'off' }
  const { host } = new URL(config.siteUrl)
  const outcome = await accountMail({
    recipient: email,
    subject: `Your invitation to ${host}`,
    text: [
      `${getAdministrator(context).email} invites you to manage ${host}.`,
      `Open this link and choose your password:\n${link}`,
      `The link works once and expires in ${INVITATION_HOURS} hours. If you don't expect an invitation, ignore this email.\n`,
    ].join('\n\n'),
  })
  if (outcome.kind === 'sent') return { email, link, mail: 'sent' }
  log.warn({ failure: outcome.message }, 'invitation mail failed')
  return { email, link, mail: 'failed' }
}
