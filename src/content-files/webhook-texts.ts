import {
  type Environment,
  fillFromEnvironment,
  fitsText,
  hasEnvironmentValue,
} from '../lib/environment-values.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { signingSecretPlace } from '../webhooks/signing-secrets.ts'
import type { Webhook } from '../webhooks/webhook.ts'
import type { WebhookDefinition } from '../webhooks/webhook-definition.ts'

/** The webhook as its row holds it: `${NAME}` replaced. A name that is not set stays in place. */
export function fillWebhook(webhook: WebhookDefinition, environment: Environment): WebhookDefinition {
  const fill = (text: string) => fillFromEnvironment(text, environment) ?? text
  const filled = { ...webhook, url: fill(webhook.url), headers: mapValues(webhook.headers, fill) }
  if (webhook.signing_secret) filled.signing_secret = fill(webhook.signing_secret)
  return filled
}

/**
 * A webhook's row as a file may say it: where `template` (the file at the last sync) names a value of the environment,
 * the name is back in place; in the address and the secret only while the row still has its value. A secret is never in clear: it is named or left out.
 */
export function unfillWebhook(
  row: WebhookDefinition,
  template: WebhookDefinition | undefined,
  { environment, storedSecret }: { environment: Environment; storedSecret: string | undefined },
): WebhookDefinition {
  const unfill = (text: string, original: string | undefined, values: Environment) =>
    original !== undefined && standsFor(original, text, values) ? original : text
  // Headers carry tokens: the shape alone decides, so that one rotated since does not get into a file either.
  const headers = mapValues(row.headers, (text, name) => unfill(text, headerOf(template, name), {}))
  const { signing_secret: _, ...rest } = { ...row, url: unfill(row.url, template?.url, environment), headers }
  const secret = template?.signing_secret
  const isNamed = secret && storedSecret !== undefined && standsFor(secret, storedSecret, environment)
  return isNamed ? { ...rest, signing_secret: secret } : rest
}

// Header names differ in case only for people.
function headerOf(template: WebhookDefinition | undefined, name: string): string | undefined {
  const headers = Object.entries(template?.headers ?? {})
  return headers.find(([candidate]) => candidate.toLowerCase() === name.toLowerCase())?.[1]
}

/** The stored secret; undefined when there is none or this secret key cannot open it. */
export function openSigningSecret(webhook: Webhook | undefined, secretBox: SecretBox): string | undefined {
  if (!webhook?.signingSecret) return undefined
  try {
    return secretBox.open(webhook.signingSecret, signingSecretPlace(webhook.id))
  } catch {
    return undefined
  }
}

// Without the value in the environment the shape has to do: better a name too many than a secret in a file.
function standsFor(template: string, text: string, environment: Environment): boolean {
  if (!hasEnvironmentValue(template)) return false
  const filled = fillFromEnvironment(template, environment)
  return filled === undefined ? fitsText(template, text) : filled === text
}

function mapValues(
  headers: Record<string, string> | null,
  change: (text: string, name: string) => string,
): Record<string, string> | null {
  if (headers === null) return null
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, change(text, name)]))
}
