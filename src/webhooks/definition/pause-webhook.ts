import type { Db } from '../../db/schema.ts'
import { updatePause } from './webhook-health-store.ts'

/** Stops sending and keeps the queue; attempts in flight finish as usual. Returns false if there is no such webhook. */
export function pauseWebhook(db: Db, webhookId: number, { now }: { now: Date }): Promise<boolean> {
  return updatePause(db, webhookId, now.toISOString())
}

/** Sends what waited, oldest first. Wake the dispatcher afterward. Returns false if there is no such webhook. */
export function resumeWebhook(db: Db, webhookId: number): Promise<boolean> {
  return updatePause(db, webhookId, null)
}
