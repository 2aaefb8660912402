import { randomUUID } from 'node:crypto'
import type { Config } from '../../config.ts'
import { createMailSender, type MailOutcome } from '../../notifications/send-mail.ts'

// The sender waits for a page that says whether the mail was sent.
const WITHIN_MS = 8_000

interface AccountMail {
  recipient: string
  subject: string
  text: string
  html?: string
}

/**
 * Sends a mail about an account at once. The outbox is for leads and would store the link of an invitation in clear
 * text.
 */
export type SendAccountMail = (mail: AccountMail) => Promise<MailOutcome>

/** Returns the sender of account mails; undefined without `SMTP_URL`. */
export function createAccountMail({
  smtpUrl,
  mailFrom,
  siteUrl,
}: Pick<Config, 'smtpUrl' | 'mailFrom' | 'siteUrl'>): SendAccountMail | undefined {
  if (!smtpUrl || !mailFrom) return undefined
  const send = createMailSender({ smtpUrl, from: mailFrom, timeoutMs: WITHIN_MS })
  const { hostname } = new URL(siteUrl)
  return (mail) =>
    send({ ...mail, replyTo: undefined, language: 'en', messageId: `account-${randomUUID()}@${hostname}` })
}
