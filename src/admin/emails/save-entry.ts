import type { AstroGlobal } from 'astro'
import { editForm } from '../../forms/edit-form.ts'
import type { Form } from '../../forms/form.ts'
import { findForm } from '../../forms/form-store.ts'
import {
  type MailInput,
  mailsVersionOf,
  putMailEntry,
  readMailInput,
  toMailInput,
} from '../../forms/mails/mail-input.ts'
import { emailActivity, emailEditor, emailsPage } from '../../messages/admin/emails/emails.ts'
import { describeRuleProblem } from '../../messages/admin/webhooks/rule-problems.ts'
import { type AdminForm, POSTED, receiveForm } from '../kit/admin-form.ts'
import { answerChange } from '../kit/answer-change.ts'
import { appOf, finish, getAdministrator, notFound } from '../kit/page-context.ts'
import { toInput, withActOnRules } from '../webhooks/posted-webhook.ts'
import { readRuleNames, showRuleNames } from '../webhooks/rule-names.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'params' | 'locals' | 'cookies' | 'url' | 'rewrite'>

/** The view of the editor of recipients. */
export interface EmailEditor extends Pick<AdminForm<unknown>, 'errors' | 'basedOn'> {
  form: Form
  /** Undefined while it is new. */
  index: number | undefined
  input: MailInput
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

/** The form's fields for use in conditions and texts. */
export function ruleFields({ fields }: Form) {
  return fields.map(({ name, type, options }) => ({ name, type, hasOptions: options.length > 0 }))
}

/** Loads the editor for the entry in the URL, or for a new one; a post saves it or changes its rows. */
export async function receiveEntry(astro: Context): Promise<EmailEditor | Response> {
  const found = await findEntryOfPage(astro)
  if (!found) return notFound(astro)
  const { form, index } = found
  const fields = ruleFields(form)
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
  if (!act.startsWith('rule')) {
    const answer = await save(astro, typed, { form, index, input })
    if (answer) return answer
  }
  return { form, index, input, ...shownOf(typed) }
}

function shownOf({ errors, basedOn }: AdminForm<unknown>) {
  return { errors, basedOn }
}

async function save(
  astro: Context,
  typed: AdminForm<unknown>,
  { form, index, input }: Omit<EmailEditor, 'errors' | 'basedOn'>,
): Promise<Response | undefined> {
  const { rules, problems } = await readRuleNames(appOf(astro).db, input)
  for (const problem of problems) typed.fail('rules', describeRuleProblem(problem))
  if (problems.length > 0) return undefined
  const read = readMailInput({ ...input, rules }, ruleFields(form))
  const editing = {
    updatedBy: getAdministrator(astro).id,
    now: new Date(),
    basedOn: { version: typed.basedOn, versionOf: mailsVersionOf },
  }
  const outcome =
    read.kind === 'invalid'
      ? read
      : await editForm(appOf(astro).db, form.slug, putMailEntry(read.value, index), editing)
  return answerChange(astro, typed, outcome, {
    thing: emailsPage.thing,
    inputOf: ({ path }) => (path[0] === 'text' ? 'template' : String(path[0] ?? '')),
    saved: ({ id, name }) => {
      const summary = emailActivity.changed(name)
      const next = { to: `/admin/forms/${form.slug}/emails`, text: emailEditor.saved }
      return finish(astro, { action: 'form.emails_changed', id, summary }, next)
    },
  })
}
