import {
  type Environment,
  fillFromEnvironment,
  fitsText,
  hasEnvironmentValue,
} from '../../lib/environment-values.ts'
import { openSecret, type SecretBox } from '../../lib/secret-box.ts'
import type { Webhook } from '../../webhooks/definition/webhook.ts'
import type { WebhookDefinition } from '../../webhooks/definition/webhook-definition.ts'
import { toWebhookDefinition } from '../../webhooks/definition/webhook-store.ts'
import { DOTS } from '../../webhooks/secrets/redact-headers.ts'
import {
  findHeader,
  isLiteralSecret,
  mapHeaders,
  withOpenHeaders,
} from '../../webhooks/secrets/sealed-headers.ts'
import { isLiteralSigningSecret, signingSecretPlace } from '../../webhooks/secrets/signing-secrets.ts'

/**
 * Returns the webhook as it is stored: `${NAME}` is replaced in the secret, which its row stores encrypted. In the
 * URL and headers the names stay; their values are looked up when a request is sent and are never stored.
 */
export function fillWebhook(webhook: WebhookDefinition, environment: Environment): WebhookDefinition {
  const { signing_secret: secret } = webhook
  if (!secret) return webhook
  return { ...webhook, signing_secret: fillFromEnvironment(secret, environment) ?? secret }
}

/**
 * Converts a webhook's row to its file's form. Secrets never appear in clear text unless `template` (the file at the
 * last sync) has that very header. They are written as in the template or left out, which a sync treats as the
 * stored one; for a header, as dots.
 */
export function unfillWebhook(
  row: WebhookDefinition,
  template: WebhookDefinition | undefined,
  { environment, storedSecret }: { environment: Environment; storedSecret: string | undefined },
): WebhookDefinition {
  const headers = mapHeaders(row.headers, (text, name) => {
    const isInFile = text === findHeader(template?.headers ?? null, name)
    return !isInFile && isLiteralSecret(name, text) ? DOTS : text
  })
  const { signing_secret: _, ...rest } = { ...row, headers }
  const secret = template?.signing_secret
  const isNamed = secret && !isLiteralSigningSecret(secret)
  return isNamed && storedSecret !== undefined && standsFor(secret, storedSecret, environment)
    ? { ...rest, signing_secret: secret }
    : rest
}

/** Returns the text form of a stored webhook with its headers in clear text; see `toWebhookDefinition`. */
export function openedDefinition(webhook: Webhook, secretBox: SecretBox): WebhookDefinition {
  return toWebhookDefinition(withOpenHeaders(webhook, { secretBox }))
}

/** Returns the stored secret; undefined if there is none or this key can't decrypt it. */
export function openSigningSecret(webhook: Webhook | undefined, secretBox: SecretBox): string | undefined {
  return webhook && openSecret(webhook.signingSecret, signingSecretPlace(webhook), { secretBox })
}

// If the environment lacks the value, compares the shape: better to write a name too many than a secret.
function standsFor(template: string, text: string, environment: Environment): boolean {
  if (!hasEnvironmentValue(template)) return false
  const filled = fillFromEnvironment(template, environment)
  return filled === undefined ? fitsText(template, text) : filled === text
}
