import { sql } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Db } from '../../db/schema.ts'
import { type At, prepareQuery } from '../../db/statements/prepared-query.ts'
import type { DeliveryStatus } from '../../db/tables/webhook-tables.ts'
import type { DeliveryReason } from '../../messages/admin/webhooks/reasons.ts'
import { reasonColumns } from '../reasons/reason-columns.ts'
import type { Share } from './share-slots.ts'

// As a literal: SQLite uses a partial index only for a value that it knows when it prepares the statement.
const PENDING = sql.lit('pending' as const)

/** The first delivery that waits for a webhook; null for those whose webhook was deleted. */
export interface QueueHead {
  webhookId: number | null
  /** UTC text. */
  dueAt: string
}

/**
 * The head of each webhook's queue, found with one index lookup each; paused webhooks are left out. The due time of
 * later rows shows only after the first ones are gone.
 */
export async function listQueueHeads(db: Db): Promise<QueueHead[]> {
  const { rows } = await selectHeads(db, {})
  const { rows: orphans } = await selectOrphanHead(db, {})
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
    // Deliveries waiting for a disabled webhook are canceled, whether paused or not.
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

/** A due delivery, before it is claimed. */
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
 * The first due deliveries of a webhook, to be claimed or ended in the same transaction. On PostgreSQL, rows that
 * another process is taking are skipped.
 */
export async function listDue(
  db: Db,
  { webhookId, count }: Share,
  { now }: { now: Date },
): Promise<DueRow[]> {
  const due = { moment: now.toISOString(), count }
  if (webhookId === null) return (await selectDueOrphans(db, due)).rows
  return (await selectDue(db, { ...due, webhookId })).rows
}

interface Due {
  moment: string
  count: number
}

const selectDue = prepareQuery((db, at: At<Due & { webhookId: number }>) =>
  dueRows(db, at).where('webhook_id', '=', at('webhookId')).compile(),
)
const selectDueOrphans = prepareQuery((db, at: At<Due>) =>
  dueRows(db, at).where('webhook_id', 'is', null).compile(),
)

function dueRows(db: Db, at: At<Due>) {
  const query = db
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id', 'submission_id', 'message_id', 'attempt_count', 'is_test'])
    .select(({ selectFrom }) =>
      selectFrom('delivery_bodies')
        .select('body')
        .whereRef('delivery_id', '=', 'webhook_deliveries.id')
        .as('body'),
    )
    .where('status', '=', PENDING)
    .where('next_attempt_at', '<=', at('moment'))
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(at('count'))
  return engineOf(db) === 'postgres' ? query.forUpdate().skipLocked() : query
}

export interface DeliveryState {
  status: DeliveryStatus
  attemptCount: number
  nextAttemptAt: Date | null
  reason: DeliveryReason | null
  finishedAt: Date | null
}

export function stateColumns({
  status,
  nextAttemptAt,
  finishedAt,
  reason,
}: Omit<DeliveryState, 'attemptCount'>) {
  return {
    status,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    finished_at: finishedAt?.toISOString() ?? null,
    ...reasonColumns(reason),
  }
}

/** Makes deliveries due that wait longer than any delay allows, for their first attempt or a later one. */
export async function bringForward(
  db: Db,
  { now, latestFirst, latestRetry }: { now: Date; latestFirst: Date; latestRetry: Date },
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: now.toISOString() })
    .where('status', '=', PENDING)
    .where(({ eb, or, and }) =>
      or([
        and([eb('attempt_count', '=', 0), eb('next_attempt_at', '>', latestFirst.toISOString())]),
        eb('next_attempt_at', '>', latestRetry.toISOString()),
      ]),
    )
    .execute()
}

/** Changes the state of a due delivery without an attempt. */
export async function settleDue(
  db: Db,
  id: number,
  state: Omit<DeliveryState, 'attemptCount'>,
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set(stateColumns(state))
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute()
}
