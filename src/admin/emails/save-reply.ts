import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import { editForm } from '../../forms/edit-form.ts'
import type { Form } from '../../forms/form.ts'
import { mailsVersionOf, putReply, readReplyInput } from '../../forms/mails/mail-input.ts'
import { emailActivity, emailsPage, replyEditor } from '../../messages/admin/emails/emails.ts'
import { describeProblem } from '../../messages/admin/problems.ts'
import { composeSampleReply } from '../../submissions/intake/sample-mails.ts'
import { toTemplateField } from '../../templates/template-field.ts'
import { savingBy } from '../audit/saving-by.ts'
import { type AdminForm, receiveForm } from '../kit/admin-form.ts'
import { answerChange } from '../kit/answer-change.ts'
import { appOf, finish, getAdministrator } from '../kit/page-context.ts'
import { isTrial, type MailTrial, sampleOptions, tryMail } from './try-mail.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'params' | 'locals' | 'cookies' | 'url' | 'rewrite'>

/** The view of the editor of a reply. */
export interface ReplyEditor {
  form: AdminForm<unknown>
  trial?: MailTrial | undefined
}

const text = z.string().default('')
const posted = z.object({ act: text, enabled: text, subject: text, text, reply_to: text })

/** Loads the editor of a form's reply; a post saves it or tries it out. */
export async function receiveReply(astro: Context, of: Form): Promise<ReplyEditor | Response> {
  const { reply } = of.settings
  const form = await receiveForm(astro, posted, { ...valuesOf(reply), based_on: mailsVersionOf(of) })
  if (!form.input) return { form }
  const { act, ...typed } = form.input
  const isTried = isTrial(act)
  const enabled = isTried || typed.enabled !== ''
  // Turning a reply off removes its texts; those of a new one would be lost.
  if (!reply && !enabled && hasTexts(typed)) {
    form.fail('enabled', replyEditor.notEnabled)
    return { form }
  }
  const read = readReplyInput({ ...typed, enabled }, of.fields.map(toTemplateField))
  if (read.kind === 'invalid') {
    for (const problem of read.problems) form.fail(problem.path.join('.'), describeProblem(problem))
    return { form }
  }
  if (!isTried || !read.value) return (await save(astro, form, { of, reply: read.value })) ?? { form }
  const mail = await composeSampleReply(appOf(astro).db, of, read.value, await sampleOptions(astro))
  return { form, trial: await tryMail(astro, of, { act, mail }) }
}

function valuesOf(reply: Form['settings']['reply']) {
  const { subject = '', text = '', reply_to } = reply ?? {}
  return { enabled: reply ? 'on' : '', subject, text, reply_to: reply_to ?? '' }
}

function hasTexts({
  subject,
  text,
  reply_to,
}: Pick<z.output<typeof posted>, 'subject' | 'text' | 'reply_to'>) {
  return [subject, text, reply_to].some((one) => one.trim() !== '')
}

async function save(
  astro: Context,
  form: AdminForm<unknown>,
  { of, reply }: { of: Form; reply: Form['settings']['reply'] },
): Promise<Response | undefined> {
  const basedOn = { version: form.basedOn, versionOf: mailsVersionOf }
  const editing = { updatedBy: getAdministrator(astro).id, ...savingBy(astro), basedOn }
  const outcome = await editForm(appOf(astro).db, of.slug, putReply(reply), editing)
  return answerChange(astro, form, outcome, {
    thing: emailsPage.thing,
    saved: ({ id, name }) => {
      const summary = emailActivity.replyChanged(name)
      const next = { to: `/admin/forms/${of.slug}/emails`, text: reply ? replyEditor.saved : replyEditor.off }
      return finish(astro, { action: 'form.emails_changed', id, summary }, next)
    },
  })
}
