import { sql, type UpdateObject } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'

/** Stops a webhook's sending and keeps its queue; attempts in flight end as they do. False: there is no such webhook. */
export function pauseWebhook(db: Db, webhookId: number, { now }: { now: Date }): Promise<boolean> {
  return update(db, webhookId, { paused_at: now.toISOString() })
}

/** Sends what waited, the oldest first. Wake the dispatcher after it. False: there is no such webhook. */
export function resumeWebhook(db: Db, webhookId: number): Promise<boolean> {
  // Days in which nothing was tried are no days of failure.
  const failing = sql<string | null>`case when paused_at is null then failing_since end`
  return update(db, webhookId, { paused_at: null, failing_since: failing })
}

async function update(db: Db, id: number, columns: UpdateObject<Schema, 'form_webhooks'>) {
  const query = db.updateTable('form_webhooks').set(columns).where('id', '=', id)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}
