import type { AstroGlobal } from 'astro'
import type { Form } from '../../forms/form.ts'
import { findForm } from '../../forms/form-store.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { describeRuleProblem } from '../../messages/admin/webhooks/rule-problems.ts'
import { webhookEditor } from '../../messages/admin/webhooks/webhook-editor.ts'
import { describeInputProblem, webhookActivity } from '../../messages/admin/webhooks/webhooks.ts'
import { toTemplateField } from '../../templates/template-field.ts'
import { findLatestSubmissionId } from '../../webhooks/body/submission-subject-store.ts'
import { addWebhook, changeWebhook, webhookVersion } from '../../webhooks/definition/edit-webhook.ts'
import type { Webhook } from '../../webhooks/definition/webhook.ts'
import type { WebhookDefinition } from '../../webhooks/definition/webhook-definition.ts'
import {
  readWebhookInput,
  toWebhookInput,
  type WebhookInput,
} from '../../webhooks/definition/webhook-input.ts'
import { findWebhook } from '../../webhooks/definition/webhook-store.ts'
import { withOpenHeaders } from '../../webhooks/secrets/sealed-headers.ts'
import { isSameOrigin } from '../../webhooks/secrets/webhook-origin.ts'
import { findDestinationProblem } from '../../webhooks/sending/destination-problem.ts'
import { type DryRun, dryRunWebhook } from '../../webhooks/trials/dry-run-webhook.ts'
import {
  listWebhookWarnings,
  type Preview,
  previewWebhook,
  type WebhookWarnings,
} from '../../webhooks/trials/preview-webhook.ts'
import { type AdminForm, POSTED, receiveForm } from '../kit/admin-form.ts'
import { answerChange } from '../kit/answer-change.ts'
import { appOf, finish, notFound, readId } from '../kit/page-context.ts'
import { confirmMove, describeMove } from './move-webhook.ts'
import { pathOfWebhook } from './paths.ts'
import { type Posted, toInput, withActOnRules } from './posted-webhook.ts'
import { readRuleNames, showRuleNames } from './rule-names.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'params' | 'locals' | 'cookies' | 'url' | 'rewrite'>

/** Number of leads in a dry run. */
export const DRY_RUN = 100
const NO_WARNINGS: WebhookWarnings = { lost: [], nulls: [] }

/** The view of the webhook editor. */
export interface WebhookEditor extends Pick<AdminForm<unknown>, 'errors' | 'basedOn'> {
  form: Form
  /** Undefined while it is new. */
  webhook: Webhook | undefined
  input: WebhookInput
  /** Action that was requested without saving. */
  shown: { preview?: Preview; dryRun?: DryRun[] }
  /** True if the password is required, because the webhook would be sent to another origin. */
  asksPassword: boolean
  /** True if a new webhook continues to the page that generates its signing secret. */
  generatesSecret: boolean
  /** Warnings about the stored or previewed webhook. */
  warnings: WebhookWarnings
  /** The submission used for previews; empty means the latest. */
  submission: string
}

type Subject = Pick<WebhookEditor, 'form' | 'webhook'>

/** Webhook to save, and the names of secret headers that it lost. */
interface Asked extends Pick<WebhookEditor, 'generatesSecret'> {
  definition: WebhookDefinition
  dropped: string[]
}

/** Returns the form and webhook in the URL; undefined if either doesn't exist. */
export async function findAddressed(
  context: Pick<Context, 'params' | 'locals'>,
): Promise<{ form: Form; webhook: Webhook } | undefined> {
  const { db } = appOf(context)
  const { params } = context
  const form = await findForm(db, params.form ?? '')
  const webhook = await findWebhook(db, readId(params.id))
  return form && webhook?.formId === form.id ? { form, webhook } : undefined
}

/**
 * Loads the editor of the webhook in the URL, or of a new one. A post saves it, previews it, runs it dry, or changes
 * its rows. Otherwise returns the response to give.
 */
export async function receiveWebhook(astro: Context): Promise<WebhookEditor | Response> {
  const isNew = astro.params.id === undefined
  const addressed = isNew ? undefined : await findAddressed(astro)
  const form = isNew ? await findForm(appOf(astro).db, astro.params.form ?? '') : addressed?.form
  if (!form) return notFound(astro)
  const webhook = addressed?.webhook
  const typed = await receiveForm(astro, POSTED, { based_on: webhook ? webhookVersion(webhook) : '' })
  const start = { input: await storedInput(astro, { form, webhook }), warnings: warningsOf(webhook, form) }
  const received = typed.input ? await receivePost(astro, typed, { form, webhook }) : start
  if (received instanceof Response) return received
  const blank = { form, webhook, shown: {}, submission: '', generatesSecret: false, asksPassword: false }
  const { errors, basedOn } = typed
  return { ...blank, ...start, ...received, errors, basedOn }
}

async function receivePost(
  astro: Context,
  typed: AdminForm<Posted>,
  { form, webhook }: Subject,
): Promise<Partial<WebhookEditor> | Response> {
  const posted = typed.input ?? {}
  const act = String(posted.act ?? 'save')
  const input = withActOnRules(toInput(posted), act)
  const submission = String(posted.submission ?? '')
  const generatesSecret = !webhook && Boolean(posted.generate_secret)
  const edited = { input, submission, generatesSecret, warnings: NO_WARNINGS }
  if (act.startsWith('rule')) return edited
  const read = await readInput(astro, typed, { form, webhook, input })
  if (!read) return edited
  const { definition } = read
  if (act === 'preview') {
    const warnings = listWebhookWarnings(definition, form.fields.map(toTemplateField))
    const preview = await previewOf(astro, { form, webhook, submission }, definition)
    return { ...edited, warnings, shown: { preview } }
  }
  if (act === 'dry-run')
    return { ...edited, shown: { dryRun: await dryRun(astro, { form, webhook }, definition) } }
  const saved = await confirmAndSave(astro, typed, { form, webhook, generatesSecret, ...read })
  return saved instanceof Response ? saved : { ...edited, ...saved }
}

/** Returns the definition to save; undefined after adding the problems to the form. */
async function readInput(
  astro: Context,
  typed: AdminForm<Posted>,
  { form, webhook, input }: Subject & Pick<WebhookEditor, 'input'>,
) {
  const { rules, problems } = await readRuleNames(appOf(astro).db, input)
  for (const problem of problems) typed.fail('rules', describeRuleProblem(problem))
  if (problems.length > 0) return undefined
  const stored = webhook && withOpenHeaders(webhook, astro.locals.app)
  const read = readWebhookInput({ ...input, rules }, { stored, fields: form.fields.map(toTemplateField) })
  if (read.kind === 'valid') return read
  for (const problem of read.problems) typed.fail(problem.input, describeInputProblem(problem))
  return undefined
}

async function storedInput(astro: Context, { form, webhook }: Subject): Promise<WebhookInput> {
  const input = toWebhookInput(webhook, form.fields.map(toTemplateField))
  return { ...input, rules: await showRuleNames(appOf(astro).db, input.rules) }
}

async function confirmAndSave(astro: Context, typed: AdminForm<Posted>, asked: Subject & Asked) {
  const { webhook, definition } = asked
  const isMoved = webhook !== undefined && !isSameOrigin(webhook.url, definition.url)
  const problem = isMoved ? await confirmMove(astro, typed.values.password) : undefined
  if (problem === undefined) return save(astro, typed, asked)
  typed.fail('password', problem)
  return { asksPassword: true }
}

function warningsOf(webhook: Webhook | undefined, { fields }: Form): WebhookWarnings {
  if (!webhook) return NO_WARNINGS
  const { method, payloadTemplate: payload_template, fireOn: fire_on } = webhook
  return listWebhookWarnings({ method, payload_template, fire_on }, fields.map(toTemplateField))
}

async function previewOf(
  { locals }: Context,
  { form, webhook: stored, submission }: Subject & Pick<WebhookEditor, 'submission'>,
  definition: WebhookDefinition,
) {
  const { db, config } = locals.app
  const { siteUrl, adminUrl } = config
  const id = readId(submission) || (await findLatestSubmissionId(db, form.id)) || 0
  return previewWebhook(db, definition, id, { siteUrl, adminUrl, stored })
}

async function dryRun({ locals }: Context, { form, webhook }: Subject, definition: WebhookDefinition) {
  const { db, config } = locals.app
  const options = { limit: DRY_RUN, siteUrl: config.siteUrl, adminUrl: config.adminUrl }
  return (await dryRunWebhook(db, webhook?.id ?? { formId: form.id }, definition, options)) ?? []
}

/** Redirects after a save. Returns undefined when another user saved in the meantime. */
async function save(astro: Context, typed: AdminForm<Posted>, asked: Subject & Asked) {
  const { form, webhook, definition } = asked
  const { db, secretBox } = astro.locals.app
  const options = { secretBox, now: new Date() }
  const { basedOn } = typed
  const outcome: Outcome<number> = webhook
    ? await changeWebhook(db, webhook.id, { definition, basedOn }, options)
    : { kind: 'saved', value: await addWebhook(db, form.id, definition, options) }
  return answerChange(astro, typed, outcome, {
    thing: 'webhook',
    saved: (id) => finishSave(astro, id, asked),
  })
}

function finishSave(astro: Context, id: number, asked: Subject & Asked): Promise<Response> {
  const { form, webhook, definition, dropped } = asked
  const { name } = definition
  const move = webhook && describeMove(webhook, { url: definition.url, dropped })
  const done = (webhook ? webhookActivity.changed : webhookActivity.added)(name, form.slug)
  const action = webhook ? 'webhook.changed' : 'webhook.added'
  const change = {
    action,
    id,
    summary: move ? webhookActivity.moved({ change: done, ...move }) : done,
  } as const
  const to = pathOfWebhook(form.slug, id)
  if (asked.generatesSecret)
    return finish(astro, change, { to: `${to}/secret`, text: webhookEditor.addedWithSecret(name) })
  const saved = webhook ? savedText(move?.lost ?? []) : webhookEditor.added(name)
  const problem = findDestinationProblem(definition.url, astro.locals.app.config.webhookAllow)
  if (problem === undefined) return finish(astro, change, { to, text: saved })
  return finish(astro, change, {
    to,
    text: webhookEditor.notSendable(saved),
    kind: 'error',
  })
}

function savedText(lost: readonly string[]): string {
  return lost.length === 0 ? webhookEditor.saved : webhookEditor.secretsDropped(lost)
}
