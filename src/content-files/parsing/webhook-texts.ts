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
 * The webhook as it is saved: `${NAME}` replaced in the secret, which its row holds encrypted. In the address and the
 * headers the names stay: their values are looked up when a request is sent, and are in no row.
 */
export function fillWebhook(webhook: WebhookDefinition, environment: Environment): WebhookDefinition {
  const { signing_secret: secret } = webhook
  if (!secret) return webhook
  return { ...webhook, signing_secret: fillFromEnvironment(secret, environment) ?? secret }
}

/**
 * A webhook's row as a file may say it. A secret is never in clear text unless `template` (the file at the last sync) has
 * that very header: it is named as the template does, or left out, which a sync takes for the stored one; of a header
 * dots say so.
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

/** The text form of a stored webhook with its headers in clear text; see `toWebhookDefinition`. */
export function openedDefinition(webhook: Webhook, secretBox: SecretBox): WebhookDefinition {
  return toWebhookDefinition(withOpenHeaders(webhook, { secretBox }))
}

/** The stored secret; undefined when there is none or this secret key cannot open it. */
export function openSigningSecret(webhook: Webhook | undefined, secretBox: SecretBox): string | undefined {
  return webhook && openSecret(webhook.signingSecret, signingSecretPlace(webhook), { secretBox })
}

// Without the value in the environment the shape has to do: better a name too many than a secret in a file.
function standsFor(template: string, text: string, environment: Environment): boolean {
  if (!hasEnvironmentValue(template)) return false
  const filled = fillFromEnvironment(template, environment)
  return filled === undefined ? fitsText(template, text) : filled === text
}
