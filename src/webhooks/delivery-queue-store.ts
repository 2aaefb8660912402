import { sql } from 'kysely'
import { engineOf } from '../db/dialects.ts'
import type { Db } from '../db/schema.ts'
import type { DeliveryStatus } from '../db/webhook-tables.ts'
import type { DeliveryJob } from './delivery.ts'
import type { DueQueue, Share } from './share-slots.ts'

// As a literal: SQLite uses a partial index only for a value that it knows when it prepares the statement.
const PENDING = sql.lit('pending' as const)

/** What waits: the webhooks with due deliveries, and the next moment when something becomes due. */
export interface QueueState {
  due: DueQueue[]
  /** UTC text; undefined when nothing waits for a later moment. */
  nextAt: string | undefined
}

/**
 * The head of each webhook's queue, found by one look into an index; those that are paused are left out. The moment of
 * a queue's later rows shows only when its first ones are gone.
 */
export async function readQueues(db: Db, { now }: { now: Date }): Promise<QueueState> {
  const heads = [...(await listWebhookHeads(db)), ...(await listOrphanHeads(db))]
  const moment = now.toISOString()
  const later = heads.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > moment)
  return { due: heads.filter(({ dueAt }) => dueAt <= moment), nextAt: later.sort()[0] }
}

/** Takes the first due deliveries of a webhook. On PostgreSQL rows that another process is taking are passed over. */
export async function claimDeliveries(
  db: Db,
  { webhookId, count }: Share,
  { now, owner, leaseExpiresAt }: { now: Date; owner: string; leaseExpiresAt: Date },
): Promise<number[]> {
  const query = db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', webhookId === null ? 'is' : '=', webhookId)
    .where('status', '=', PENDING)
    .where('next_attempt_at', '<=', now.toISOString())
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(count)
  const locked = engineOf(db) === 'postgres' ? query.forUpdate().skipLocked() : query
  const ids = (await locked.execute()).map(({ id }) => id)
  if (ids.length > 0) await markDelivering(db, ids, { owner, leaseExpiresAt })
  return ids
}

/** Whether claims ran out that nobody renewed: the sign of a process that died. */
export async function hasExpiredClaims(db: Db, { now }: { now: Date }): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('status', '=', sql.lit('delivering' as const))
    .where('lease_expires_at', '<=', now.toISOString())
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Makes claimed deliveries pending again: those of one owner, those whose lease ran out, or all. */
export async function releaseClaims(
  db: Db,
  { owner, expiredAt }: { owner?: string; expiredAt?: Date } = {},
): Promise<void> {
  let query = db
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', lease_expires_at: null, claimed_by: null })
    .where('status', '=', sql.lit('delivering' as const))
  if (owner !== undefined) query = query.where('claimed_by', '=', owner)
  if (expiredAt !== undefined) query = query.where('lease_expires_at', '<=', expiredAt.toISOString())
  await query.execute()
}

export async function renewClaims(
  db: Db,
  ids: readonly number[],
  { owner, leaseExpiresAt }: { owner: string; leaseExpiresAt: Date },
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ lease_expires_at: leaseExpiresAt.toISOString() })
    .where('id', 'in', ids)
    .where('claimed_by', '=', owner)
    .execute()
}

export interface DeliveryState {
  status: DeliveryStatus
  attemptCount: number
  nextAttemptAt: Date | null
  outcomeReason: string | null
  finishedAt: Date | null
}

/**
 * Ends the claims of deliveries that had `attemptCount` attempts with the same state. A delivery whose claim was lost
 * to somebody else is not changed.
 */
export async function settleClaims(
  db: Db,
  { ids, attemptCount }: { ids: readonly number[]; attemptCount: number },
  { owner, state }: { owner: string; state: DeliveryState },
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({
      status: state.status,
      attempt_count: state.attemptCount,
      next_attempt_at: state.nextAttemptAt?.toISOString() ?? null,
      outcome_reason: state.outcomeReason,
      finished_at: state.finishedAt?.toISOString() ?? null,
      lease_expires_at: null,
      claimed_by: null,
    })
    .where('id', 'in', ids)
    .where('status', '=', 'delivering')
    .where('claimed_by', '=', owner)
    .where('attempt_count', '=', attemptCount)
    .execute()
}

/** `settleClaims` of one delivery. */
export async function settleClaim(
  db: Db,
  { id, attemptCount }: DeliveryJob,
  end: { owner: string; state: DeliveryState },
): Promise<void> {
  await settleClaims(db, { ids: [id], attemptCount }, end)
}

async function listWebhookHeads(db: Db): Promise<DueQueue[]> {
  const rows = await db
    .selectFrom('form_webhooks')
    .select(['id', 'url'])
    .select(({ selectFrom }) =>
      selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.min('next_attempt_at').as('due_at'))
        .whereRef('webhook_id', '=', 'form_webhooks.id')
        .where('status', '=', PENDING)
        .as('due_at'),
    )
    // What waits for a webhook that is off is cancelled, pause or not.
    .where(({ eb, or }) => or([eb('paused_at', 'is', null), eb('enabled', '=', 0)]))
    .execute()
  return rows.flatMap(({ id, url, due_at: dueAt }) => (dueAt === null ? [] : [{ webhookId: id, url, dueAt }]))
}

async function listOrphanHeads(db: Db): Promise<DueQueue[]> {
  const { dueAt } = await db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.min('next_attempt_at').as('dueAt'))
    .where('webhook_id', 'is', null)
    .where('status', '=', PENDING)
    .executeTakeFirstOrThrow()
  return dueAt === null ? [] : [{ webhookId: null, url: null, dueAt }]
}

async function markDelivering(
  db: Db,
  ids: readonly number[],
  { owner, leaseExpiresAt }: { owner: string; leaseExpiresAt: Date },
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'delivering', claimed_by: owner, lease_expires_at: leaseExpiresAt.toISOString() })
    .where('id', 'in', ids)
    .execute()
}
