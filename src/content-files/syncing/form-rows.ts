import { canonicalJson, sha256Hex } from '../../lib/canonical-json.ts'
import { compareText } from '../../lib/compare-text.ts'
import type { Environment } from '../../lib/environment-values.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { matchWebhooks } from '../../webhooks/definition/match-webhooks.ts'
import type { Webhook } from '../../webhooks/definition/webhook.ts'
import { fillDots } from '../../webhooks/secrets/sealed-headers.ts'
import type { FormDocument } from '../document.ts'
import { fillWebhook, openedDefinition, openSigningSecret } from '../parsing/webhook-texts.ts'

/**
 * Returns the hash of a form's row. Includes stored secrets in encrypted form, so that a change shows but the text
 * doesn't. Ignores the order of webhooks.
 */
export function hashFormRow(document: FormDocument, webhooks: readonly Webhook[]): string {
  const secrets = webhooks.map((webhook) => [webhook.name, webhook.signingSecret])
  return sha256Hex(
    canonicalJson({ ...document, webhooks: byName(document.webhooks), secrets: secrets.sort() }),
  )
}

/** Returns whether a form's row equals its file, with the current values of the environment. */
export function isSameForm(
  file: FormDocument,
  row: { document: FormDocument; webhooks: readonly Webhook[] },
  { environment, secretBox }: { environment: Environment; secretBox: SecretBox },
): boolean {
  if (canonicalJson(file.definition) !== canonicalJson(row.document.definition)) return false
  const matches = matchWebhooks(file.webhooks, row.webhooks)
  const filled = byName(file.webhooks).map((webhook) =>
    fillWebhook(fillDots(webhook, matches.get(webhook), { secretBox }), environment),
  )
  const stored = byName(row.webhooks)
  const opened = stored.map((webhook) => openedDefinition(webhook, secretBox))
  const withoutSecrets = filled.map(({ signing_secret, ...webhook }) => webhook)
  if (canonicalJson(withoutSecrets) !== canonicalJson(opened)) return false
  return filled.every(({ signing_secret: secret }, index) => {
    if (secret === undefined) return true
    const webhook = stored[index]
    return secret === null ? !webhook?.signingSecret : openSigningSecret(webhook, secretBox) === secret
  })
}

function byName<T extends { name: string }>(webhooks: readonly T[]): T[] {
  return webhooks.toSorted((a, b) => compareText(a.name, b.name))
}
