import type { Kysely } from 'kysely'
import { FALLBACK_MARK } from '../../conditions/conditions.ts'
import type { Schema } from '../../db/schema.ts'
import { findOutdated, type Outcome, versionOf } from '../../lib/outcome.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import { deleteWebhook, saveWebhook } from './save-webhook-store.ts'
import type { Webhook } from './webhook.ts'
import type { WebhookDefinition } from './webhook-definition.ts'
import { findWebhookForUpdate } from './webhook-store.ts'

interface Options {
  secretBox: SecretBox
  now: Date
}

/** Adds a webhook to a form; returns its id. */
export function addWebhook(
  db: Kysely<Schema>,
  formId: number,
  definition: WebhookDefinition,
  options: Options,
): Promise<number> {
  return changeContent(db, (trx) => saveWebhook(trx, { stored: undefined, formId, definition }, options))
}

/**
 * Version text of what a person edits in a webhook: it differs when one of these values does. State and secrets are not
 * part of it.
 */
export function webhookVersion(webhook: Webhook): string {
  const { name, url, method, headers, payloadTemplate, fireOn, fallback } = webhook
  const { maxRetries, enabled, acceptRedirect } = webhook
  const when = fallback ? FALLBACK_MARK : fireOn
  return versionOf([name, url, method, headers, payloadTemplate, when, maxRetries, enabled, acceptRedirect])
}

/** Changes a webhook and keeps its secret. `basedOn` is the `webhookVersion` that the user saw. */
export function changeWebhook(
  db: Kysely<Schema>,
  webhookId: number,
  { definition, basedOn }: { definition: WebhookDefinition; basedOn?: string | undefined },
  options: Options,
): Promise<Outcome<number>> {
  return changeContent(db, async (trx) => {
    const stored = await findWebhookForUpdate(trx, webhookId)
    if (!stored) return { kind: 'not_found' }
    const outdated = findOutdated(webhookVersion(stored), basedOn)
    if (outdated) return outdated
    return {
      kind: 'saved',
      value: await saveWebhook(trx, { stored, formId: stored.formId, definition }, options),
    }
  })
}

/** Deletes a webhook and cancels what waits for it; its deliveries stay in the log. */
export function removeWebhook(db: Kysely<Schema>, webhookId: number, { now }: { now: Date }): Promise<void> {
  return changeContent(db, (trx) => deleteWebhook(trx, webhookId, { now }))
}
