import type { KeyObject } from 'node:crypto'
import packageFile from '#package.json' with { type: 'json' }
import { type Environment, fillFromEnvironment, listNames } from '../../lib/environment-values.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { BlockedReason, UnusableReason } from '../../messages/admin/webhooks/reasons.ts'
import { webhookHeaders } from '../definition/header-rules.ts'
import type { Webhook } from '../definition/webhook.ts'
import { type Concealed, concealedTexts } from '../secrets/hide-values.ts'
import { redactHeaders } from '../secrets/redact-headers.ts'
import { isSealed, withOpenHeaders } from '../secrets/sealed-headers.ts'
import { openSecrets } from '../secrets/signing-secrets.ts'
import { signingKey } from './signatures.ts'

const USER_AGENT = `Signpost/${packageFile.version}`

/** A webhook with everything that its requests share: environment values filled in, secrets decrypted. */
export interface SendableWebhook {
  webhook: Webhook
  url: string
  /** `https://hooks.example.com` */
  origin: string
  headers: Record<string, string>
  /** For logs: with `${NAME}` in place, secrets as dots. */
  shown: { url: string; headers: Record<string, string> }
  /** Signing keys, the newest first. */
  keys: readonly KeyObject[]
  /** Texts that a receiver may return and that must not be stored, with their replacements. */
  concealed: Concealed
}

/** Readiness of a webhook to be sent. */
export type Readiness =
  | { kind: 'ready'; webhook: Webhook; sendable: SendableWebhook }
  /** Never: the stored definition is invalid. */
  | { kind: 'unusable'; webhook: Webhook; reason: UnusableReason }
  /** Not until a person provides what is missing: the secret key, or an environment value. */
  | { kind: 'blocked'; webhook: Webhook; reason: BlockedReason }

export interface Opening {
  secretBox: SecretBox
  environment: Environment
  now: Date
}

/** Makes a webhook ready for sending, or says what prevents it. */
export function openWebhook(webhook: Webhook, opening: Opening): Readiness {
  const unusable = problemOf(webhook)
  if (unusable) return { kind: 'unusable', webhook, reason: unusable }
  const opened = withOpenHeaders(webhook, opening)
  const values = valuesFor(opened, opening.environment)
  const blocked = problemWithHeaders(opened) ?? problemWithValues(opened, values)
  if (blocked) return { kind: 'blocked', webhook, reason: blocked }
  const signing = openSecrets(webhook, opening)
  if (!signing) return { kind: 'blocked', webhook, reason: { code: 'secret_sealed' } }
  const concealed = concealedTexts({ values, sealed: openedSecrets(webhook, opened), signing })
  const keys = signing.map(signingKey)
  return { kind: 'ready', webhook, sendable: { ...toSendable(opened, values), keys, concealed } }
}

/** Returns why a stored webhook can never be sent; undefined when it can. */
export function problemOf({ unreadable }: Webhook): UnusableReason | undefined {
  // An unreadable condition was judged when the submission was accepted, and does not affect sending.
  const { method, headers, payloadTemplate } = unreadable
  if (method !== undefined) return { code: 'method_unusable', params: { problem: method } }
  if (headers !== undefined) return { code: 'headers_unusable', params: { problem: headers } }
  if (payloadTemplate !== undefined)
    return { code: 'template_unreadable', params: { problem: payloadTemplate } }
  return undefined
}

/** The headers that are the same in every delivery of a webhook, with `${NAME}` in place. */
export function deliveryHeaders({ headers }: Webhook): Record<string, string> {
  return { ...headers, 'content-type': 'application/json', 'user-agent': USER_AGENT }
}

function openedSecrets(stored: Webhook, opened: Webhook): string[] {
  const sealed = Object.entries(stored.headers ?? {}).filter(([, value]) => isSealed(value))
  return sealed.map(([name]) => opened.headers?.[name] ?? '')
}

function valuesFor({ url, headers }: Webhook, environment: Environment): Map<string, string> {
  const names = [url, ...Object.values(headers ?? {})].flatMap(listNames)
  return new Map(names.map((name) => [name, environment[name] ?? '']))
}

function problemWithHeaders({ headers }: Webhook): BlockedReason | undefined {
  return Object.values(headers ?? {}).some(isSealed) ? { code: 'header_sealed' } : undefined
}

function problemWithValues(webhook: Webhook, values: ReadonlyMap<string, string>): BlockedReason | undefined {
  const unset = [...values].filter(([, value]) => value === '').map(([name]) => name)
  if (unset.length > 0) return { code: 'values_missing', params: { names: unset.join(', ') } }
  const { url, headers } = toSendable(webhook, values)
  if (!URL.canParse(url)) return { code: 'url_invalid', params: { url: webhook.url } }
  const ours = deliveryHeaders({ ...webhook, headers: null })
  const own = Object.entries(headers).filter(([name]) => !Object.hasOwn(ours, name))
  if (webhookHeaders.safeParse(Object.fromEntries(own)).success) return undefined
  return { code: 'header_invalid' }
}

function toSendable(webhook: Webhook, environment: ReadonlyMap<string, string>) {
  const stored = deliveryHeaders(webhook)
  const values = Object.fromEntries(environment)
  const fill = (text: string) => fillFromEnvironment(text, values) ?? text
  const headers = Object.fromEntries(Object.entries(stored).map(([name, text]) => [name, fill(text)]))
  const url = fill(webhook.url)
  const shown = { url: webhook.url, headers: redactHeaders(stored) }
  return { webhook, url, origin: URL.parse(url)?.origin ?? url, headers, shown }
}
