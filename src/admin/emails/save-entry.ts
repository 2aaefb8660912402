import type { AstroGlobal } from 'astro'
import { editForm } from '../../forms/edit-form.ts'
import type { Form } from '../../forms/form.ts'
import { findForm } from '../../forms/form-store.ts'
import {
  type MailEntry,
  type MailInput,
  mailsVersionOf,
  putMailEntry,
  readMailInput,
  toMailInput,
} from '../../forms/mails/mail-input.ts'
import { emailActivity, emailEditor, emailsPage } from '../../messages/admin/emails/emails.ts'
import { describeProblem } from '../../messages/admin/problems.ts'
import { describeRuleProblem } from '../../messages/admin/webhooks/rule-problems.ts'
import { composeSampleMail } from '../../submissions/intake/sample-mails.ts'
import { toTemplateField } from '../../templates/template-field.ts'
import { savingBy } from '../audit/saving-by.ts'
import { type AdminForm, POSTED, receiveForm } from '../kit/admin-form.ts'
import { answerChange } from '../kit/answer-change.ts'
import { appOf, finish, getAdministrator, notFound } from '../kit/page-context.ts'
import { toInput, withActOnRules } from '../webhooks/posted-webhook.ts'
import { readRuleNames, showRuleNames } from '../webhooks/rule-names.ts'
import { isTrial, type MailTrial, sampleOptions, tryMail } from './try-mail.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'params' | 'locals' | 'cookies' | 'url' | 'rewrite'>

/** The view of the editor of recipients. */
export interface EmailEditor extends Pick<AdminForm<unknown>, 'errors' | 'basedOn'> {
  form: Form
  /** Undefined while it is new. */
  index: number | undefined
  input: MailInput
  trial?: MailTrial | undefined
}

/** Returns the form and the entry that the URL names; undefined if either doesn't exist. */
export async function findEntryOfPage(
  context: Pick<Context, 'params' | 'locals'>,
): Promise<{ form: Form; index: number | undefined } | undefined> {
  const { form: slug = '', entry } = context.params
  const form = await findForm(appOf(context).db, slug)
  if (!form || entry === undefined) return form && { form, index: undefined }
  const index = /^\d{1,3}$/.test(entry) ? Number(entry) : -1
  return form.settings.notifications?.[index] ? { form, index } : undefined
}

/** Loads the editor for the entry in the URL, or for a new one; a post saves it or changes its rows. */
export async function receiveEntry(astro: Context): Promise<EmailEditor | Response> {
  const found = await findEntryOfPage(astro)
  if (!found) return notFound(astro)
  const { form, index } = found
  const fields = form.fields.map(toTemplateField)
  const stored = index === undefined ? undefined : form.settings.notifications?.[index]
  const typed = await receiveForm(astro, POSTED, { based_on: mailsVersionOf(form) })
  if (!typed.input) {
    const input = toMailInput(stored, fields)
    const rules = await showRuleNames(appOf(astro).db, input.rules)
    return { form, index, input: { ...input, rules }, ...shownOf(typed) }
  }
  const act = String(typed.input.act ?? 'save')
  const { match, rules, fire_on } = withActOnRules(toInput(typed.input), act)
  const text = (name: string) => String(typed.input?.[name] ?? '')
  const input = { to: text('to'), subject: text('subject'), text: text('template'), match, rules, fire_on }
  const entry = act.startsWith('rule') ? undefined : await readEntry(astro, typed, { form, input })
  const trial = entry && isTrial(act) ? await tryEntry(astro, act, { form, entry }) : undefined
  if (entry && !trial) {
    const answer = await save(astro, typed, { form, index, entry })
    if (answer) return answer
  }
  return { form, index, input, trial, ...shownOf(typed) }
}

function shownOf({ errors, basedOn }: AdminForm<unknown>) {
  return { errors, basedOn }
}

/** Returns the entry as typed; undefined after adding the problems to the form. */
async function readEntry(
  astro: Context,
  typed: AdminForm<unknown>,
  { form, input }: Pick<EmailEditor, 'form' | 'input'>,
): Promise<MailEntry | undefined> {
  const { rules, problems } = await readRuleNames(appOf(astro).db, input)
  for (const problem of problems) typed.fail('rules', describeRuleProblem(problem))
  if (problems.length > 0) return undefined
  const read = readMailInput({ ...input, rules }, form.fields.map(toTemplateField))
  if (read.kind === 'valid') return read.value
  for (const problem of read.problems) {
    const [name = ''] = problem.path
    typed.fail(name === 'text' ? 'template' : String(name), describeProblem(problem))
  }
  return undefined
}

async function tryEntry(astro: Context, act: string, { form, entry }: { form: Form; entry: MailEntry }) {
  const mail = await composeSampleMail(appOf(astro).db, form, entry, await sampleOptions(astro))
  return tryMail(astro, form, { act, mail })
}

async function save(
  astro: Context,
  typed: AdminForm<unknown>,
  { form, index, entry }: Pick<EmailEditor, 'form' | 'index'> & { entry: MailEntry },
): Promise<Response | undefined> {
  const basedOn = { version: typed.basedOn, versionOf: mailsVersionOf }
  const editing = { updatedBy: getAdministrator(astro).id, ...savingBy(astro), basedOn }
  const outcome = await editForm(appOf(astro).db, form.slug, putMailEntry(entry, index), editing)
  return answerChange(astro, typed, outcome, {
    thing: emailsPage.thing,
    saved: ({ id, name }) => {
      const summary = emailActivity.changed(name)
      const next = { to: `/admin/forms/${form.slug}/emails`, text: emailEditor.saved }
      return finish(astro, { action: 'form.emails_changed', id, summary }, next)
    },
  })
}
