import type { Db } from '../db/schema.ts'
import { listForms } from '../forms/form-store.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { updateSealed } from '../webhooks/definition/save-webhook-store.ts'
import type { Webhook } from '../webhooks/definition/webhook.ts'
import { listAllWebhooks, listWebhooks, listWebhooksForUpdate } from '../webhooks/definition/webhook-store.ts'
import { bindHeaders } from '../webhooks/secrets/sealed-headers.ts'
import { bindSecrets } from '../webhooks/secrets/signing-secrets.ts'
import { replaceRowHash } from './content-file-store.ts'
import { pathOfDocument } from './document.ts'
import { formDocument } from './documents-from-database.ts'
import { hashFormRow } from './syncing/form-rows.ts'

/**
 * Encrypts webhook secrets with the newest key, bound to the origin they are sent to; earlier versions bound them
 * only to their webhook. Does nothing once all are bound. Call it in a transaction.
 */
export async function bindStoredSecrets(db: Db, { secretBox }: { secretBox: SecretBox }): Promise<void> {
  const changed = listUnbound(await listWebhooksForUpdate(db), { secretBox })
  if (changed.length === 0) return
  const before = await hashForms(db)
  for (const webhook of changed) await updateSealed(db, webhook)
  // Nobody edited these forms, so the next sync must not treat them as changed in the admin.
  for (const [path, now] of await hashForms(db)) {
    const former = before.get(path)
    if (former !== undefined && former !== now) await replaceRowHash(db, path, { former, now })
  }
}

/** Returns whether `bindStoredSecrets` has anything to do, without a lock that another server would wait for. */
export async function hasUnboundSecrets(db: Db, { secretBox }: { secretBox: SecretBox }): Promise<boolean> {
  return listUnbound(await listAllWebhooks(db), { secretBox }).length > 0
}

function listUnbound(webhooks: readonly Webhook[], { secretBox }: { secretBox: SecretBox }): Webhook[] {
  return webhooks.flatMap((webhook) => {
    const bound = bindWebhook(webhook, { secretBox })
    return JSON.stringify(bound) === JSON.stringify(webhook) ? [] : [bound]
  })
}

/** Returns the webhook as `bindStoredSecrets` stores it. */
export function bindWebhook(webhook: Webhook, { secretBox }: { secretBox: SecretBox }): Webhook {
  const { id, url, headers } = webhook
  return {
    ...webhook,
    headers: bindHeaders(headers, { id, url, secretBox }),
    ...bindSecrets(webhook, { secretBox }),
  }
}

async function hashForms(db: Db): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  for (const form of await listForms(db)) {
    const webhooks = await listWebhooks(db, form.id)
    if (webhooks.some(({ unreadable }) => Object.keys(unreadable).length > 0)) continue
    const document = formDocument(form, webhooks)
    hashes.set(pathOfDocument(document), hashFormRow(document, webhooks))
  }
  return hashes
}
