import { bindWebhook } from '../content-files/bind-stored-secrets.ts'
import type { Db } from '../db/schema.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { TrashedForm } from '../submissions/trash-form.ts'
import { listTrashedContents, updateTrashedContent } from '../versions/trash-store.ts'
import { toSealedColumns, toWebhook, type WebhookRow } from '../webhooks/definition/webhook-store.ts'

/** Re-encrypts the secrets of webhooks in the trash with the newest key, so that a restored form sends as before. */
export async function renewTrashedForms(db: Db, sealing: { secretBox: SecretBox }): Promise<void> {
  for (const { id, content } of await listTrashedContents(db, 'form')) {
    const form = content as TrashedForm
    const webhooks = form.webhooks.map((row) => renewRow(row, sealing))
    if (canonicalJson(webhooks) !== canonicalJson(form.webhooks))
      await updateTrashedContent(db, id, { ...form, webhooks })
  }
}

function renewRow(row: WebhookRow, sealing: { secretBox: SecretBox }): WebhookRow {
  return { ...row, ...toSealedColumns(bindWebhook(toWebhook(row), sealing)) }
}
