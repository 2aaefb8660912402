import type { AstroGlobal } from 'astro'
import type { Form } from '../../forms/form.ts'
import { emailActivity, mailTrial } from '../../messages/admin/emails/emails.ts'
import type { ComposedMail } from '../../notifications/compose-mail.ts'
import { adminPolicy } from '../../server/admin/admin-policy.ts'
import { findMailLook } from '../../site/settings/mail-look.ts'
import { recordChange } from '../audit/record-change.ts'
import { appOf, getAdministrator } from '../kit/page-context.ts'

type Context = Pick<AstroGlobal, 'locals' | 'url' | 'request'>
type Answering = Context & Pick<AstroGlobal, 'response'>

/** An email about a sample lead, and what became of its test. */
export interface MailTrial {
  mail: ComposedMail
  test?: { kind: 'success' | 'error'; text: string }
}

/** Returns whether a button of the editor tries the unsaved email out. */
export function isTrial(act: string): boolean {
  return act === 'preview' || act === 'test'
}

/** Loads what a sample email is composed from. */
export async function sampleOptions(context: Context) {
  const { db, config } = appOf(context)
  const { siteUrl, adminUrl } = config
  return { siteUrl, adminUrl, look: await findMailLook(db, config), now: new Date() }
}

/** Shows a sample email, which the page may then style; for `test`, also sends it to the signed-in user. */
export async function tryMail(
  context: Answering,
  form: Pick<Form, 'id' | 'name'>,
  { act, mail }: { act: string; mail: ComposedMail },
): Promise<MailTrial> {
  const { accountMail } = appOf(context)
  context.response.headers.set('content-security-policy', adminPolicy(mail.html))
  if (act !== 'test' || !accountMail) return { mail }
  const { email: recipient } = getAdministrator(context)
  const { text, html } = mail
  const outcome = await accountMail({ recipient, subject: mailTrial.testSubject(mail.subject), text, html })
  if (outcome.kind === 'failed')
    return { mail, test: { kind: 'error', text: mailTrial.failed(outcome.message) } }
  const summary = emailActivity.tested(form.name)
  await recordChange(context, { action: 'form.email_tested', id: form.id, summary })
  return { mail, test: { kind: 'success', text: mailTrial.sent(recipient) } }
}
