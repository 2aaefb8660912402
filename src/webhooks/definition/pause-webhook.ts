import type { Db } from '../../db/schema.ts'
import { updatePause } from './webhook-health-store.ts'

/** Stops a webhook's sending and keeps its queue; attempts in flight end as they do. False: there is no such webhook. */
export function pauseWebhook(db: Db, webhookId: number, { now }: { now: Date }): Promise<boolean> {
  return updatePause(db, webhookId, now.toISOString())
}

/** Sends what waited, the oldest first. Wake the dispatcher after it. False: there is no such webhook. */
export function resumeWebhook(db: Db, webhookId: number): Promise<boolean> {
  return updatePause(db, webhookId, null)
}
