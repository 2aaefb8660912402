import {
  type ConditionRows,
  fromConditionRows,
  type RuleField,
  type RuleInput,
  toConditionRows,
} from '../../conditions/condition-rows.ts'
import { isTextDeeperThan, MAX_CONDITION_DEPTH } from '../../conditions/conditions.ts'
import { canonicalJson, type Json } from '../../lib/canonical-json.ts'
import { listNames } from '../../lib/environment-values.ts'
import { isSameText } from '../../lib/posted-text.ts'
import type { InputFault } from '../../messages/admin/webhooks/webhooks.ts'
import type { Problem } from '../../messages/files/rules/rule.ts'
import { problemOf } from '../../messages/files/rules/schema-rule.ts'
import { readHeaderLines } from '../secrets/header-lines.ts'
import { redactHeaders } from '../secrets/redact-headers.ts'
import { isSameOrigin, originOf } from '../secrets/webhook-origin.ts'
import type { Webhook } from './webhook.ts'
import {
  checkWebhookReferences,
  MAX_TEMPLATE_DEPTH,
  type WebhookDefinition,
  webhookDefinition,
} from './webhook-definition.ts'

/** A webhook as a form of the admin holds it: all text. */
export interface WebhookInput {
  name: string
  url: string
  method: string
  /** `Name: value`, one per line; a stored secret is shown as dots. */
  headers: string
  /** JSON; empty is the standard body. */
  template: string
  max_retries: string
  enabled: boolean
  accept_redirect: boolean
  /** `json`: the condition is what `fire_on` says; `fallback`: none; otherwise what the rules say. */
  match: ConditionRows['match'] | 'json' | 'fallback'
  rules: RuleInput[]
  fire_on: string
}

/** A problem and its input; `path` leads to a part of the input. */
export type InputProblem = { input: keyof WebhookInput } & (InputFault | Problem)

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

/** Returns the initial values of the form of a stored or new webhook. `fields` are the fields of its form. */
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
    match: webhook.fallback ? 'fallback' : (rows?.match ?? 'json'),
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
  | { kind: 'invalid'; problems: InputProblem[] } {
  const isMoved = stored !== undefined && !isSameOrigin(stored.url, input.url.trim())
  const problems: InputProblem[] = []
  const fail: Fail = (name, problem) => {
    problems.push({ input: name, ...problem })
  }
  const { headers, dropped } = readHeaderLines(
    input.headers,
    { stored: stored?.headers ?? null, isMoved },
    (fault) => fail('headers', fault),
  )
  const written = {
    name: input.name,
    url: input.url.trim(),
    method: input.method,
    headers,
    payload_template: readJson(input.template, TEMPLATE_TOO_DEEP, (fault) => fail('template', fault)),
    fire_on: readCondition(input, fields, fail),
    max_retries: /^\d{1,3}$/.test(input.max_retries.trim()) ? Number(input.max_retries) : input.max_retries,
    enabled: input.enabled,
    ...(input.accept_redirect && { accept_redirect: true }),
    ...(input.match === 'fallback' && { fallback: true }),
  }
  const parsed = webhookDefinition.safeParse(written)
  const at = (key: string, problem: InputFault | Problem) => fail(inputOf(key, input), problem)
  for (const issue of parsed.error?.issues ?? [])
    at(String(issue.path[0]), { ...problemOf(issue), path: issue.path.slice(1) })
  checkReferences(written, fields, at)
  if (parsed.data) checkNames(parsed.data, { stored, isMoved }, at)
  if (!parsed.data || problems.length > 0) return { kind: 'invalid', problems }
  return { kind: 'valid', definition: withStored(parsed.data, { input, stored, fields }), dropped }
}

// A value that the user did not change keeps its stored form: a condition of `{}` is shown as none.
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
    ...(!definition.fallback && condition(input) === condition(shown) && { fire_on: stored.fireOn }),
  }
}

type Fail = (name: keyof WebhookInput, problem: InputFault | Problem) => void

interface Before {
  stored: Webhook | undefined
  /** True if the address has another origin now. */
  isMoved: boolean
}

const TEMPLATE_TOO_DEEP = { code: 'template_too_deep', params: { max: MAX_TEMPLATE_DEPTH } } as const
const CONDITIONS_TOO_DEEP = { code: 'conditions_too_deep', params: { max: MAX_CONDITION_DEPTH } } as const

function readJson(
  text: string,
  tooDeep: typeof TEMPLATE_TOO_DEEP | typeof CONDITIONS_TOO_DEEP,
  fail: (problem: InputFault | Problem) => void,
): Json {
  if (text.trim() === '') return null
  if (isTextDeeperThan(text, tooDeep.params.max)) {
    fail({ ...tooDeep, path: [] })
    return null
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    fail({ code: 'json_invalid', params: { reason, usesDoubleQuotes: DOUBLE_QUOTES.test(text) } })
    return null
  }
}

// They end the JSON text that they are in.
const DOUBLE_QUOTES = /\|\s*default:\s*"/

function readCondition(input: WebhookInput, fields: readonly RuleField[], fail: Fail): Json {
  if (input.match === 'json')
    return readJson(input.fire_on, CONDITIONS_TOO_DEEP, (fault) => fail('fire_on', fault))
  if (input.match === 'fallback') return null
  return fromConditionRows({ match: input.match, rules: input.rules }, fields)
}

// Problems of a condition entered as rules belong to its rules.
function inputOf(key: string, { match }: WebhookInput): keyof WebhookInput {
  if (key === 'payload_template') return 'template'
  if (key === 'fire_on') return match === 'json' ? 'fire_on' : 'rules'
  return key as keyof WebhookInput
}

// Templates with other mistakes still have references.
function checkReferences(
  written: { payload_template: Json; fire_on: Json },
  fields: readonly RuleField[],
  at: (key: string, problem: InputFault | Problem) => void,
) {
  const { payload_template, fire_on } = webhookDefinition.shape
  const readable = {
    payload_template: payload_template.safeParse(written.payload_template).data ?? null,
    fire_on: fire_on.safeParse(written.fire_on).data ?? null,
  }
  for (const { part, mention: _, ...fault } of checkWebhookReferences(readable, fields))
    at(part, { path: [], ...fault })
}

// A user who could name any environment value could send all of them to an address of their choice.
function checkNames(
  definition: WebhookDefinition,
  { stored, isMoved }: Before,
  at: (key: string, problem: InputFault | Problem) => void,
) {
  const known = namesIn(stored)
  for (const [key, text] of [['url', definition.url] as const, ...headerTexts(definition)]) {
    for (const name of listNames(text)) {
      if (!known.includes(name)) at(key, { code: 'variable_new', params: { name } })
      else if (stored && isMoved)
        at(key, { code: 'variable_moved', params: { name, origin: originOf(stored.url) } })
    }
  }
}

function headerTexts({ headers }: Pick<WebhookDefinition, 'headers'>) {
  return Object.values(headers ?? {}).map((text) => ['headers', text] as const)
}

function namesIn(webhook: Webhook | undefined): string[] {
  return webhook ? [webhook.url, ...Object.values(webhook.headers ?? {})].flatMap(listNames) : []
}
