import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { deleteWebhook, saveWebhook } from './save-webhook-store.ts'
import type { WebhookDefinition } from './webhook-definition.ts'
import { findWebhook } from './webhook-store.ts'

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
  return db
    .transaction()
    .execute((trx) => saveWebhook(trx, { stored: undefined, formId, definition }, options))
}

/** Changes a webhook; its secret stays. False when it was deleted meanwhile. */
export function changeWebhook(
  db: Kysely<Schema>,
  webhookId: number,
  definition: WebhookDefinition,
  options: Options,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const stored = await findWebhook(trx, webhookId)
    if (!stored) return false
    await saveWebhook(trx, { stored, formId: stored.formId, definition }, options)
    return true
  })
}

/** Deletes a webhook and cancels what waits for it; its deliveries stay in the log. */
export function removeWebhook(db: Kysely<Schema>, webhookId: number, { now }: { now: Date }): Promise<void> {
  return db.transaction().execute((trx) => deleteWebhook(trx, webhookId, { now }))
}
