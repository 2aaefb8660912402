import { canonicalJson, type Json } from '../../lib/canonical-json.ts'
import { listNames } from '../../lib/environment-values.ts'
import { isSameText } from '../../lib/posted-text.ts'
import {
  type ConditionRows,
  fromConditionRows,
  type RuleField,
  type RuleInput,
  toConditionRows,
} from '../conditions/condition-rows.ts'
import { readHeaderLines } from '../secrets/header-lines.ts'
import { redactHeaders } from '../secrets/redact-headers.ts'
import { isSameOrigin, originOf } from '../secrets/webhook-origin.ts'
import type { Webhook } from './webhook.ts'
import { checkWebhookReferences, type WebhookDefinition, webhookDefinition } from './webhook-definition.ts'

/** A webhook as a form of the admin holds it: all text. */
export interface WebhookInput {
  name: string
  url: string
  method: string
  /** `Name: value`, one per line; a secret that is stored stands as dots. */
  headers: string
  /** JSON; empty is the standard body. */
  template: string
  max_retries: string
  enabled: boolean
  accept_redirect: boolean
  /** `json`: the condition is what `fire_on` says, otherwise what the rules say. */
  match: ConditionRows['match'] | 'json'
  rules: RuleInput[]
  fire_on: string
}

/** Messages by the name of the input. */
export type InputErrors = Partial<Record<keyof WebhookInput, string[]>>

const BLANK: WebhookInput = {
  name: '',
  url: '',
  method: 'POST',
  headers: '',
  template: '',
  max_retries: '6',
  enabled: true,
  accept_redirect: false,
  match: 'always',
  rules: [],
  fire_on: '',
}

/** What the form of a stored webhook starts with, or that of a new one. `fields` are those of its form. */
export function toWebhookInput(webhook: Webhook | undefined, fields: readonly RuleField[]): WebhookInput {
  if (!webhook) return BLANK
  const rows = toConditionRows(webhook.fireOn, fields)
  return {
    name: webhook.name,
    url: webhook.url,
    method: webhook.method,
    headers: Object.entries(redactHeaders(webhook.headers ?? {}))
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    template: webhook.payloadTemplate === null ? '' : JSON.stringify(webhook.payloadTemplate, null, 2),
    max_retries: String(webhook.maxRetries),
    enabled: webhook.enabled,
    accept_redirect: webhook.acceptRedirect,
    match: rows?.match ?? 'json',
    rules: rows?.rules ?? [],
    fire_on: webhook.fireOn === null ? '' : JSON.stringify(webhook.fireOn, null, 2),
  }
}

/**
 * The webhook that a form describes, or what is wrong with it. When the address has another origin than that of `stored`,
 * headers that hold secrets or values of the environment are left out: `dropped` names them.
 */
export function readWebhookInput(
  input: WebhookInput,
  { stored, fields }: { stored: Webhook | undefined; fields: readonly RuleField[] },
):
  | { kind: 'valid'; definition: WebhookDefinition; dropped: string[] }
  | { kind: 'invalid'; errors: InputErrors } {
  const isMoved = stored !== undefined && !isSameOrigin(stored.url, input.url.trim())
  const errors: InputErrors = {}
  const fail = (name: keyof WebhookInput, message: string) => {
    errors[name] = [...(errors[name] ?? []), message]
  }
  const { headers, dropped } = readHeaderLines(
    input.headers,
    { stored: stored?.headers ?? null, isMoved },
    (message) => fail('headers', message),
  )
  const written = {
    name: input.name,
    url: input.url.trim(),
    method: input.method,
    headers,
    payload_template: readJson(input.template, (message) =>
      fail('template', message + quoteHint(input.template)),
    ),
    fire_on: readCondition(input, fields, fail),
    max_retries: /^\d{1,3}$/.test(input.max_retries.trim()) ? Number(input.max_retries) : input.max_retries,
    enabled: input.enabled,
    ...(input.accept_redirect && { accept_redirect: true }),
  }
  const parsed = webhookDefinition.safeParse(written)
  const at = (key: string, message: string) => fail(inputOf(key, input), message)
  for (const { path, message } of parsed.error?.issues ?? [])
    at(String(path[0]), sentence(path.slice(1), message))
  checkReferences(written, fields, at)
  if (parsed.data) checkNames(parsed.data, { stored, isMoved }, at)
  if (!parsed.data || Object.keys(errors).length > 0) return { kind: 'invalid', errors }
  return { kind: 'valid', definition: withStored(parsed.data, { input, stored, fields }), dropped }
}

// What came back as the form showed it stays as it is stored: a condition of `{}` is shown as none.
function withStored(
  definition: WebhookDefinition,
  {
    input,
    stored,
    fields,
  }: { input: WebhookInput; stored: Webhook | undefined; fields: readonly RuleField[] },
): WebhookDefinition {
  if (!stored) return definition
  const shown = toWebhookInput(stored, fields)
  const condition = (one: WebhookInput) => canonicalJson(readCondition(one, fields, () => undefined))
  return {
    ...definition,
    ...(isSameText(input.name, shown.name) && { name: stored.name }),
    ...(isSameText(input.url, shown.url) && { url: stored.url }),
    ...(isSameText(input.template, shown.template) && { payload_template: stored.payloadTemplate }),
    ...(condition(input) === condition(shown) && { fire_on: stored.fireOn }),
  }
}

type Fail = (name: keyof WebhookInput, message: string) => void

interface Before {
  stored: Webhook | undefined
  /** Whether the address has another origin now. */
  isMoved: boolean
}

function readJson(text: string, fail: (message: string) => void): Json {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch (error) {
    fail(`This is not JSON: ${error instanceof Error ? error.message : error}`)
    return null
  }
}

// Double quotes end the JSON text that they stand in.
function quoteHint(template: string): string {
  return /\|\s*default:\s*"/.test(template) ? ". Use single quotes: default: 'text'." : ''
}

function readCondition(input: WebhookInput, fields: readonly RuleField[], fail: Fail): Json {
  if (input.match === 'json') return readJson(input.fire_on, (message) => fail('fire_on', message))
  return fromConditionRows({ match: input.match, rules: input.rules }, fields)
}

// A condition that was written as rules is wrong in its rules.
function inputOf(key: string, { match }: WebhookInput): keyof WebhookInput {
  if (key === 'payload_template') return 'template'
  if (key === 'fire_on') return match === 'json' ? 'fire_on' : 'rules'
  return key as keyof WebhookInput
}

function sentence(path: readonly PropertyKey[], message: string): string {
  const place = path.map((part) => (typeof part === 'number' ? `rule ${part + 1}` : String(part)))
  const where = place.filter((part) => part !== 'all' && part !== 'any').join(', ')
  return where === '' ? `${message[0]?.toUpperCase()}${message.slice(1)}.` : `${where}: ${message}.`
}

// What is wrong in another way still has its references.
function checkReferences(
  written: { payload_template: Json; fire_on: Json },
  fields: readonly RuleField[],
  at: (key: string, message: string) => void,
) {
  const { payload_template, fire_on } = webhookDefinition.shape
  const readable = {
    payload_template: payload_template.safeParse(written.payload_template).data ?? null,
    fire_on: fire_on.safeParse(written.fire_on).data ?? null,
  }
  for (const { part, message } of checkWebhookReferences(readable, fields)) at(part, sentence([], message))
}

// Whoever may name any value of the environment could have all of them sent to an address of theirs.
function checkNames(
  definition: WebhookDefinition,
  { stored, isMoved }: Before,
  at: (key: string, message: string) => void,
) {
  const known = namesIn(stored)
  for (const [key, text] of [['url', definition.url] as const, ...headerTexts(definition)]) {
    for (const name of listNames(text)) {
      if (!known.includes(name))
        at(key, `\${${name}} is new here; values of the environment are named in the form's file.`)
      else if (stored && isMoved)
        at(key, `\${${name}} is only sent to ${originOf(stored.url)}. Use another origin in the form's file.`)
    }
  }
}

function headerTexts({ headers }: Pick<WebhookDefinition, 'headers'>) {
  return Object.values(headers ?? {}).map((text) => ['headers', text] as const)
}

function namesIn(webhook: Webhook | undefined): string[] {
  return webhook ? [webhook.url, ...Object.values(webhook.headers ?? {})].flatMap(listNames) : []
}
