import type { Db } from '../../db/schema.ts'
import type { WebhookRow } from './webhook-store.ts'

/** Returns the stored rows of a form's webhooks; their secrets are sealed. */
export function readWebhookRows(db: Db, formId: number): Promise<WebhookRow[]> {
  return db.selectFrom('form_webhooks').selectAll().where('form_id', '=', formId).orderBy('id').execute()
}

/** Stores deleted rows again, under their IDs, to which the sealed secrets are bound. */
export async function putWebhookRowsBack(db: Db, rows: readonly WebhookRow[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('form_webhooks').values(rows).execute()
}
