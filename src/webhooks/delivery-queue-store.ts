import { sql } from 'kysely'
import { engineOf } from '../db/dialects.ts'
import { inGroups, prepareQuery } from '../db/prepared-query.ts'
import type { Db } from '../db/schema.ts'
import type { DeliveryStatus } from '../db/webhook-tables.ts'
import type { Share } from './share-slots.ts'

// As literals: SQLite uses a partial index only for a value that it knows when it prepares the statement.
const PENDING = sql.lit('pending' as const)
const DELIVERING = sql.lit('delivering' as const)

/** The first delivery that waits for a webhook; null for those whose webhook was deleted. */
export interface QueueHead {
  webhookId: number | null
  /** UTC text. */
  dueAt: string
}

/**
 * The head of each webhook's queue, found by one look into an index; those that are paused are left out. The moment of
 * a queue's later rows shows only when its first ones are gone.
 */
export async function listQueueHeads(db: Db): Promise<QueueHead[]> {
  const [{ rows }, { rows: orphans }] = [await selectHeads(db, [0]), await selectOrphanHead(db, [])]
  return [...rows, ...orphans].flatMap(({ webhookId, dueAt }) =>
    dueAt === null ? [] : [{ webhookId, dueAt }],
  )
}

const selectHeads = prepareQuery((db) =>
  db
    .selectFrom('form_webhooks')
    .select('id as webhookId')
    .select(({ selectFrom }) =>
      selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.min('next_attempt_at').as('due_at'))
        .whereRef('webhook_id', '=', 'form_webhooks.id')
        .where('status', '=', PENDING)
        .as('dueAt'),
    )
    // What waits for a webhook that is off is cancelled, pause or not.
    .where(({ eb, or }) => or([eb('paused_at', 'is', null), eb('enabled', '=', 0)]))
    .compile(),
)

const selectOrphanHead = prepareQuery((db) =>
  db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.min('next_attempt_at').as('dueAt'))
    .select(sql<null>`null`.as('webhookId'))
    .where('webhook_id', 'is', null)
    .where('status', '=', PENDING)
    .compile(),
)

/** A delivery that is due, before it is claimed. */
export interface DueRow {
  id: number
  webhook_id: number | null
  submission_id: number | null
  message_id: string | null
  attempt_count: number
  /** Null before the first attempt. */
  body: string | null
  is_test: 0 | 1
}

/**
 * The first due deliveries of a webhook, to be claimed or settled in the same transaction. On PostgreSQL rows that
 * another process is taking are passed over.
 */
export async function listDue(
  db: Db,
  { webhookId, count }: Share,
  { now }: { now: Date },
): Promise<DueRow[]> {
  const moment = now.toISOString()
  if (webhookId === null) return (await selectDueOrphans(db, [moment, count])).rows
  return (await selectDue(db, [webhookId, moment, count])).rows
}

const selectDue = prepareQuery<DueRow>((db) => dueRows(db, true).compile())
const selectDueOrphans = prepareQuery<DueRow>((db) => dueRows(db, false).compile())

function dueRows(db: Db, ofWebhook: boolean) {
  const query = db
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id', 'submission_id', 'message_id', 'attempt_count', 'is_test'])
    .select(({ selectFrom }) =>
      selectFrom('delivery_bodies')
        .select('body')
        .whereRef('delivery_id', '=', 'webhook_deliveries.id')
        .as('body'),
    )
    .where('webhook_id', ofWebhook ? '=' : 'is', ofWebhook ? 0 : null)
    .where('status', '=', PENDING)
    .where('next_attempt_at', '<=', '')
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(0)
  return engineOf(db) === 'postgres' ? query.forUpdate().skipLocked() : query
}

/** Claims due deliveries. */
export async function claimDeliveries(
  db: Db,
  ids: readonly number[],
  { owner, leaseExpiresAt }: { owner: string; leaseExpiresAt: Date },
): Promise<void> {
  for (const group of inGroups(ids))
    await updateClaimed(db, ['delivering', owner, leaseExpiresAt.toISOString(), null, ...group], group.length)
}

const updateClaimed = prepareQuery((db, rows) =>
  db
    .updateTable('webhook_deliveries')
    .set({ status: 'delivering', claimed_by: '', lease_expires_at: '', outcome_reason: null })
    .where('id', 'in', Array(rows).fill(0))
    .compile(),
)

/** Whether claims ran out that nobody renewed: the sign of a process that died. */
export async function hasExpiredClaims(db: Db, { now }: { now: Date }): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('status', '=', DELIVERING)
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
  let query = db.updateTable('webhook_deliveries').set(UNCLAIMED).where('status', '=', DELIVERING)
  if (owner !== undefined) query = query.where('claimed_by', '=', owner)
  if (expiredAt !== undefined) query = query.where('lease_expires_at', '<=', expiredAt.toISOString())
  await query.execute()
}

const UNCLAIMED = { status: 'pending', lease_expires_at: null, claimed_by: null } as const

/** Gives claims back that nothing was sent of. Returns the ids of those that were still the owner's. */
export async function returnClaims(
  db: Db,
  ids: readonly number[],
  { owner }: { owner: string },
): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .updateTable('webhook_deliveries')
    .set(UNCLAIMED)
    .where('id', 'in', ids)
    .where('claimed_by', '=', owner)
    .where('status', '=', 'delivering')
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
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

/** The end of a claim of a delivery that had `attemptCount` attempts when it was claimed. */
export interface ClaimEnd {
  id: number
  attemptCount: number
  state: DeliveryState
}

/** Ends claims. A delivery whose claim was lost to somebody else is not changed. */
export async function settleClaims(
  db: Db,
  ends: readonly ClaimEnd[],
  { owner }: { owner: string },
): Promise<void> {
  // What arrived ends alike, all in one statement.
  for (const alike of Map.groupBy(ends, endOf).values()) {
    for (const group of inGroups(alike)) await settleAlike(db, group, owner)
  }
}

async function settleAlike(db: Db, group: readonly ClaimEnd[], owner: string) {
  const [first] = group
  if (!first) return
  const { attemptCount, state } = first
  const ids = group.map(({ id }) => id)
  const moments = [state.nextAttemptAt?.toISOString() ?? null, state.finishedAt?.toISOString() ?? null]
  const changes = [null, null, state.status, state.attemptCount, state.outcomeReason, ...moments]
  await updateSettled(db, [...changes, ...ids, 'delivering', attemptCount, owner], ids.length)
}

const updateSettled = prepareQuery((db, rows) =>
  db
    .updateTable('webhook_deliveries')
    .set({ lease_expires_at: null, claimed_by: null, status: 'delivered', attempt_count: 0 })
    .set({ outcome_reason: null, next_attempt_at: null, finished_at: null })
    .where('id', 'in', Array(rows).fill(0))
    .where('status', '=', 'delivering')
    .where('attempt_count', '=', 0)
    .where('claimed_by', '=', '')
    .compile(),
)

function endOf({ attemptCount, state }: ClaimEnd): string {
  const { status, outcomeReason, nextAttemptAt, finishedAt } = state
  return [attemptCount, status, outcomeReason, Number(nextAttemptAt), Number(finishedAt)].join(' ')
}

/** Gives a due delivery another state without an attempt. */
export async function settleDue(
  db: Db,
  id: number,
  state: Omit<DeliveryState, 'attemptCount'>,
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: state.status, outcome_reason: state.outcomeReason })
    .set({ next_attempt_at: state.nextAttemptAt?.toISOString() ?? null })
    .set({ finished_at: state.finishedAt?.toISOString() ?? null })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute()
}
