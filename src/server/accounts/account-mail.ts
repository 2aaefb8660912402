import { randomUUID } from 'node:crypto'
import type { Config } from '../../config.ts'
import { frameMail } from '../../notifications/mail-frame.ts'
import { buttonHtml, headingHtml, paragraphsHtml } from '../../notifications/mail-html.ts'
import { createMailSender, type MailOutcome } from '../../notifications/send-mail.ts'

const LANGUAGE = 'en'
// The sender waits for a page that says whether the mail was sent.
const WITHIN_MS = 8_000

interface AccountMail {
  recipient: string
  subject: string
  text: string
  /** Made from the text if missing. */
  html?: string
  /** The link that the text has in the last line of a paragraph: a button in HTML. */
  action?: Action
}

interface Action {
  label: string
  link: string
}

/**
 * Sends an email about an account at once. The outbox is for leads and would store an invitation link in clear text.
 */
export type SendAccountMail = (mail: AccountMail) => Promise<MailOutcome>

/** Returns the sender of account emails; undefined without `SMTP_URL`. */
export function createAccountMail({
  smtpUrl,
  mailFrom,
  siteUrl,
}: Pick<Config, 'smtpUrl' | 'mailFrom' | 'siteUrl'>): SendAccountMail | undefined {
  if (!smtpUrl || !mailFrom) return undefined
  const send = createMailSender({ smtpUrl, from: mailFrom, timeoutMs: WITHIN_MS })
  const { hostname } = new URL(siteUrl)
  return ({ action, html, ...mail }) =>
    send({
      ...mail,
      html: html ?? accountMailHtml({ ...mail, action }),
      ...{ replyTo: undefined, language: LANGUAGE, messageId: `account-${randomUUID()}@${hostname}` },
    })
}

/** The text of a mail about an account as HTML. */
export function accountMailHtml({
  subject,
  text,
  action,
}: Pick<AccountMail, 'subject' | 'text'> & { action?: Action | undefined }): string {
  const parts = text.trim().split('\n\n')
  const body = parts.map((part) =>
    action && part.endsWith(`\n${action.link}`)
      ? buttonHtml(action.link, action.label)
      : paragraphsHtml(part),
  )
  return frameMail({ title: subject, language: LANGUAGE, body: headingHtml(subject) + body.join('') })
}
