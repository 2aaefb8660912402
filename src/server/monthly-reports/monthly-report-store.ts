import { sql } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Db } from '../../db/schema.ts'

/** A report that is being sent. */
export interface ClaimedReport {
  id: number
  userId: number
  /** `2026-10`. */
  period: string
  attempts: number
}

/** The state of the report that a user got last, or gets next. */
export interface ReportState {
  userId: number
  period: string
  status: 'pending' | 'sending' | 'sent' | 'failed'
  /** Null unless the last attempt failed. */
  lastError: string | null
  /** The next attempt of a pending report; UTC text. */
  dueAt: string
}

/** Returns the newest report of a user; undefined before the first one. */
export async function findReportState(db: Db, userId: number): Promise<ReportState | undefined> {
  return selectStates(db).where('user_id', '=', userId).orderBy('period', 'desc').limit(1).executeTakeFirst()
}

/** Lists the reports of the newest month whose last attempt failed. */
export async function listFailedReports(db: Db): Promise<ReportState[]> {
  const newest = db.selectFrom('monthly_reports').select(({ fn }) => fn.max('period').as('period'))
  return selectStates(db)
    .where('period', '=', newest)
    .where('status', 'in', ['pending', 'failed'])
    .where('last_error', 'is not', null)
    .orderBy('id')
    .execute()
}

function selectStates(db: Db) {
  return db
    .selectFrom('monthly_reports')
    .select(['user_id as userId', 'period', 'status', 'last_error as lastError', 'due_at as dueAt'])
}

/** Plans reports of a month; a user who has one for that month gets no other. */
export async function planReports(
  db: Db,
  userIds: readonly number[],
  { period, now }: { period: string; now: Date },
): Promise<void> {
  if (userIds.length === 0) return
  const rows = userIds.map((user_id) => ({
    ...{ user_id, period, status: 'pending' as const },
    due_at: now.toISOString(),
  }))
  await db
    .insertInto('monthly_reports')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['user_id', 'period']).doNothing())
    .execute()
}

/** Claims a report that is due, so that no other process sends it; undefined when none is. */
export async function claimReport(db: Db, { now }: { now: Date }): Promise<ClaimedReport | undefined> {
  const due = db
    .selectFrom('monthly_reports')
    .select('id')
    .where('status', '=', 'pending')
    .where('due_at', '<=', now.toISOString())
    .orderBy('due_at')
    .limit(1)
    .$if(engineOf(db) === 'postgres', (query) => query.forUpdate().skipLocked())
  return db
    .updateTable('monthly_reports')
    .set({ status: 'sending', due_at: now.toISOString(), attempts: sql<number>`attempts + 1` })
    .where('id', 'in', due)
    .returning(['id', 'user_id as userId', 'period', 'attempts'])
    .executeTakeFirst()
}

/** Closes a report, or schedules its next attempt if `dueAt` is given. */
export async function settleReport(
  db: Db,
  id: number,
  { status, dueAt, error }: { status: 'sent' | 'failed' | 'pending'; dueAt?: Date; error: string | null },
): Promise<void> {
  await db
    .updateTable('monthly_reports')
    .set({ status, last_error: error, ...(dueAt && { due_at: dueAt.toISOString() }) })
    .where('id', '=', id)
    .execute()
}

/** Closes reports whose process died while it sent them: a second one could be a repeat. */
export async function closeLostReports(
  db: Db,
  { before, error }: { before: Date; error: string },
): Promise<void> {
  await db
    .updateTable('monthly_reports')
    .set({ status: 'failed', last_error: error })
    .where('status', '=', 'sending')
    .where('due_at', '<', before.toISOString())
    .execute()
}
