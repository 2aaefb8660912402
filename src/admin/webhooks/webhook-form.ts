import type { AstroGlobal } from 'astro'
import type { Form } from '../../forms/form.ts'
import { findForm } from '../../forms/form-store.ts'
import { describeInputProblem } from '../../messages/admin/webhooks.ts'
import { findLatestSubmissionId } from '../../webhooks/body/submission-subject-store.ts'
import { toTemplateField } from '../../webhooks/body/template-field.ts'
import { addWebhook, changeWebhook, webhookVersion } from '../../webhooks/definition/edit-webhook.ts'
import type { Webhook } from '../../webhooks/definition/webhook.ts'
import type { WebhookDefinition } from '../../webhooks/definition/webhook-definition.ts'
import {
  type InputProblem,
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
import { outdatedMessage, readForm } from '../kit/admin-form.ts'
import { finish } from '../kit/finish.ts'
import { notFound } from '../kit/not-found.ts'
import { appOf, readId } from '../kit/page-context.ts'
import { confirmMove, describeMove } from './move-webhook.ts'
import { pathOfWebhook } from './paths.ts'
import { type Posted, toInput, withActOnRules } from './posted-webhook.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'params' | 'locals' | 'cookies' | 'url' | 'rewrite'>

const DRY_RUN = 100
const NO_WARNINGS: WebhookWarnings = { lost: [], nulls: [] }

/** What the editor of a webhook shows. */
export interface WebhookEditor {
  form: Form
  /** Undefined while it is new. */
  webhook: Webhook | undefined
  input: WebhookInput
  /** The version of the webhook that `input` was made from. */
  basedOn: string | undefined
  /** Those under `''` are of the form as a whole. */
  errors: Partial<Record<keyof WebhookInput | '' | 'password', string[]>>
  /** What was asked for without saving. */
  shown: { preview?: Preview; dryRun?: DryRun[] }
  /** Whether the password is asked for, as the webhook would be sent to another origin. */
  asksPassword: boolean
  /** Whether a new webhook goes on to the page that generates its signing secret. */
  generatesSecret: boolean
  /** Of the webhook as it is stored, or as it is previewed. */
  warnings: WebhookWarnings
  /** The submission that previews are made of; empty: the latest. */
  submission: string
}

/** The form and webhook that an address names; undefined when one of them is not there. */
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
 * The editor of the webhook that the address names, or of a new one. A post saves it, previews it, runs it dry or
 * changes its rows. Otherwise the answer to give.
 */
export async function receiveWebhook(astro: Context): Promise<WebhookEditor | Response> {
  const isNew = astro.params.id === undefined
  const addressed = isNew ? undefined : await findAddressed(astro)
  const form =
    addressed?.form ?? (isNew ? await findForm(appOf(astro).db, astro.params.form ?? '') : undefined)
  if (!form) return notFound(astro)
  const webhook = addressed?.webhook
  const basedOn = webhook && webhookVersion(webhook)
  const blank = {
    form,
    webhook,
    basedOn,
    errors: {},
    shown: {},
    warnings: NO_WARNINGS,
    submission: '',
    generatesSecret: false,
    asksPassword: false,
  }
  if (astro.request.method !== 'POST')
    return { ...blank, warnings: warningsOf(webhook, form), input: toWebhookInput(webhook, ruleFields(form)) }
  const posted = await readForm(astro.request)
  const act = String(posted.act ?? 'save')
  const editor = { ...blank, ...toEdited(posted, act, { isNew }) }
  return act.startsWith('rule') ? editor : receiveWhole(astro, editor, { act, password: posted.password })
}

function toEdited(posted: Posted, act: string, { isNew }: { isNew: boolean }) {
  return {
    input: withActOnRules(toInput(posted), act),
    submission: String(posted.submission ?? ''),
    basedOn: String(posted.based_on ?? '') || undefined,
    generatesSecret: isNew && Boolean(posted.generate_secret),
  }
}

async function receiveWhole(
  astro: Context,
  editor: WebhookEditor,
  { act, password }: { act: string; password: Posted[string] | undefined },
) {
  const { webhook, form, input } = editor
  const stored = webhook && withOpenHeaders(webhook, astro.locals.app)
  const read = readWebhookInput(input, { stored, fields: ruleFields(form) })
  if (read.kind === 'invalid') {
    astro.response.status = 422
    return { ...editor, errors: errorsOf(read.problems) }
  }
  if (act === 'preview') {
    const warnings = listWebhookWarnings(read.definition, form.fields.map(toTemplateField))
    return { ...editor, warnings, shown: { preview: await preview(astro, editor, read.definition) } }
  }
  if (act === 'dry-run') return { ...editor, shown: { dryRun: await dryRun(astro, editor, read.definition) } }
  const isMoved = webhook !== undefined && !isSameOrigin(webhook.url, read.definition.url)
  const problem = isMoved ? await confirmMove(astro, password) : undefined
  if (problem !== undefined) {
    astro.response.status = 422
    return { ...editor, asksPassword: true, errors: { password: [problem] } }
  }
  return save(astro, editor, read)
}

function errorsOf(problems: readonly InputProblem[]): WebhookEditor['errors'] {
  const byInput = Map.groupBy(problems, ({ input }) => input)
  return Object.fromEntries([...byInput].map(([input, list]) => [input, list.map(describeInputProblem)]))
}

function warningsOf(webhook: Webhook | undefined, { fields }: Form): WebhookWarnings {
  if (!webhook) return NO_WARNINGS
  const { method, payloadTemplate: payload_template, fireOn: fire_on } = webhook
  return listWebhookWarnings({ method, payload_template, fire_on }, fields.map(toTemplateField))
}

function ruleFields({ fields }: Form) {
  return fields.map(({ name, type, options }) => ({ name, type, hasOptions: options.length > 0 }))
}

async function preview(
  { locals }: Context,
  { form, webhook: stored, submission }: WebhookEditor,
  definition: WebhookDefinition,
) {
  const { db, config } = locals.app
  const { siteUrl } = config
  const id = readId(submission) || (await findLatestSubmissionId(db, form.id)) || 0
  return previewWebhook(db, definition, id, { siteUrl, stored })
}

async function dryRun({ locals }: Context, { form, webhook }: WebhookEditor, definition: WebhookDefinition) {
  const { db, config } = locals.app
  const options = { limit: DRY_RUN, siteUrl: config.siteUrl }
  return (await dryRunWebhook(db, webhook?.id ?? { formId: form.id }, definition, options)) ?? []
}

async function save(
  astro: Context,
  editor: WebhookEditor,
  { definition, dropped }: { definition: WebhookDefinition; dropped: string[] },
) {
  const { form, webhook, basedOn } = editor
  const { db, secretBox } = astro.locals.app
  const options = { secretBox, now: new Date() }
  const { name } = definition
  const id = webhook?.id ?? (await addWebhook(db, form.id, definition, options))
  const outcome = webhook && (await changeWebhook(db, id, { definition, basedOn }, options))
  if (outcome?.kind === 'not_found') return notFound(astro)
  if (outcome?.kind === 'outdated') {
    astro.response.status = 409
    return { ...editor, basedOn: outcome.version, errors: { '': [outdatedMessage('webhook')] } }
  }
  const move = webhook && describeMove(webhook, { url: definition.url, dropped })
  const done = `${webhook ? 'Changed' : 'Added'} the webhook "${name}" of the form ${form.slug}`
  const action = webhook ? 'webhook.changed' : 'webhook.added'
  const change = { action, id, summary: move ? `${done}: ${move.summary}` : done } as const
  const to = pathOfWebhook(form.slug, id)
  if (editor.generatesSecret)
    return finish(astro, change, { to: `${to}/secret`, text: `"${name}" is added. Now generate its secret.` })
  const saved = webhook
    ? `Saved. ${move?.message ?? 'New requests use these settings.'}`
    : `"${name}" is added.`
  const problem = findDestinationProblem(definition.url, astro.locals.app.config.webhookAllow)
  if (problem === undefined) return finish(astro, change, { to, text: saved })
  return finish(astro, change, {
    to,
    text: `${saved} But nothing can be sent to its address.`,
    kind: 'error',
  })
}
