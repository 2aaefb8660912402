import { z } from 'zod'
import { type Environment, fillFromEnvironment, listUnsetNames } from '../../lib/environment-values.ts'
import { type WebhookDefinition, webhookDefinition } from '../../webhooks/definition/webhook-definition.ts'
import { DOTS } from '../../webhooks/secrets/redact-headers.ts'
import { mapHeaders } from '../../webhooks/secrets/sealed-headers.ts'
import type { LocatedYaml } from './located-yaml.ts'
import type { Mistake } from './mistake.ts'
import { rawText, rawValue, readWith } from './parsed-file.ts'
import type { Reference } from './reference.ts'

const webhookList = z.array(webhookDefinition).nullish()

interface Place {
  path: string
  yaml: LocatedYaml
  environment: Environment
  /** The schema of the whole file. */
  known: z.ZodType
}

/**
 * Reads the webhooks of a form file. Checks the values that `${NAME}` stands for, but returns `${NAME}` unreplaced,
 * and dots for a stored header. An unset name is a mistake.
 */
export function readWebhooks(
  raw: unknown,
  { path, yaml, environment, known }: Place,
): { value: WebhookDefinition[] | undefined; references: Reference[]; mistakes: Mistake[] } {
  const texts = Array.isArray(raw) ? raw.flatMap(listTexts) : []
  const unset = texts.flatMap(({ at, text }) =>
    listUnsetNames(text, environment).map((name) => ({
      path,
      line: yaml.lineOf(at),
      fault: { code: 'variable_unset' as const, params: { name, key: at.slice(2).join('.') } },
    })),
  )
  const filled = Array.isArray(raw) ? raw.map((webhook) => fillRaw(webhook, environment)) : (raw ?? null)
  const read = readWith(webhookList, yaml, { path, value: filled, at: ['webhooks'], known })
  const value = (read.value ?? []).map((webhook, index) => restore(webhook, (raw as unknown[])[index]))
  const references = Array.isArray(raw) ? raw.flatMap((webhook, index) => listKept(webhook, index, yaml)) : []
  return { value, references, mistakes: [...unset, ...read.mistakes] }
}

interface LocatedText {
  at: (string | number)[]
  text: string
}

function listTexts(webhook: unknown, index: number): LocatedText[] {
  const headers = Object.entries(Object(rawValue(webhook, 'headers')) as object)
  return [
    { at: ['webhooks', index, 'url'], text: rawValue(webhook, 'url') },
    { at: ['webhooks', index, 'signing_secret'], text: rawValue(webhook, 'signing_secret') },
    ...headers.map(([name, text]) => ({ at: ['webhooks', index, 'headers', name], text })),
  ].filter((located): located is LocatedText => typeof located.text === 'string')
}

// Dots keep the stored header; a missing secret keeps the stored one.
function listKept(webhook: unknown, index: number, yaml: LocatedYaml): Reference[] {
  const headers = Object.entries(Object(rawValue(webhook, 'headers')) as object)
  const kept = headers
    .filter(([, text]) => text === DOTS)
    .map(([name]): Reference => {
      const line = yaml.lineOf(['webhooks', index, 'headers', name])
      return { to: 'stored_header', webhook: index, name, line }
    })
  if (rawValue(webhook, 'signing_secret') !== undefined) return kept
  return [...kept, { to: 'stored_secret', webhook: index, line: yaml.lineOf(['webhooks', index, 'url']) }]
}

function fillRaw(webhook: unknown, environment: Environment): unknown {
  if (typeof webhook !== 'object' || webhook === null) return webhook
  const filled: Record<string, unknown> = { ...webhook }
  const headers = rawValue(webhook, 'headers')
  const url = rawText(webhook, 'url')
  const secret = rawText(webhook, 'signing_secret')
  // A missing value is reported by name and must not be reported as an invalid address too.
  if (url) filled.url = fillFromEnvironment(url, environment) ?? 'https://unset.invalid/'
  if (secret) filled.signing_secret = fillFromEnvironment(secret, environment) ?? 'unset'
  if (typeof headers === 'object' && headers !== null) {
    filled.headers = Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [
        name,
        typeof text === 'string' ? fillHeader(text, environment) : text,
      ]),
    )
  }
  return filled
}

// Dots can stand for a stored header because no header value can contain them.
function fillHeader(text: string, environment: Environment): string {
  return text === DOTS ? 'stored' : (fillFromEnvironment(text, environment) ?? 'unset')
}

function restore(webhook: WebhookDefinition, raw: unknown): WebhookDefinition {
  const rawHeaders = rawValue(raw, 'headers')
  const headers = mapHeaders(webhook.headers, (value, name) => rawText(rawHeaders, name) ?? value)
  const secret = rawText(raw, 'signing_secret')
  return {
    ...webhook,
    url: rawText(raw, 'url') ?? webhook.url,
    headers,
    ...(secret === undefined ? {} : { signing_secret: secret }),
  }
}
