import type { Db } from '../../db/schema.ts'
import type { WebhookRow } from './webhook-store.ts'

/** Returns the stored rows of a form's webhooks; their secrets are sealed. */
export function readWebhookRows(db: Db, formId: number): Promise<WebhookRow[]> {
  return db.selectFrom('form_webhooks').selectAll().where('form_id', '=', formId).orderBy('id').execute()
}

/**
 * Stores deleted rows again, under their IDs, to which the sealed secrets are bound. Days without attempts don't count
 * as days of failure.
 */
export async function putWebhookRowsBack(db: Db, rows: readonly WebhookRow[]): Promise<void> {
  const restored = rows.map((row) => ({ ...row, failing_since: null }))
  if (restored.length > 0) await db.insertInto('form_webhooks').values(restored).execute()
}
