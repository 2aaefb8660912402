import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../db/schema.ts'
import { type FromRow, fromRow, toRow } from '../db/tables/columns.ts'
import { jsonColumn } from '../lib/json-column.ts'
import { publishFailures } from '../messages/server/publishing.ts'
import { type PublishPhase, phase } from './publish-progress.ts'

type PublishRow = Selectable<Schema['publishes']>
type Pages = 'added' | 'changed' | 'removed' | 'unchanged'

/** A publish or rollback in the history. */
export interface Publish extends FromRow<Omit<PublishRow, `pages_${Pages}` | 'reasons_json' | 'log_json'>> {
  pages: Record<Pages, number>
  /** Reasons for the changed pages, in words. */
  reasons: string[]
  log: PublishPhase[]
}

export type PublishEnd = Pick<Publish, 'status'> &
  Partial<Omit<Publish, 'id' | 'machine' | 'startedBy' | 'userId' | 'startedAt' | 'status'>> & {
    finishedAt: string
  }

const reasonsColumn = jsonColumn(z.array(z.string()))

const logColumn = jsonColumn(z.array(phase))

export async function insertPublish(
  db: Db,
  { machine, startedBy, userId, startedAt }: Pick<Publish, 'machine' | 'startedBy' | 'userId' | 'startedAt'>,
): Promise<number> {
  const row = await db
    .insertInto('publishes')
    .values({ ...toRow({ machine, startedBy, userId, startedAt }), status: 'running' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function endPublish(
  db: Db,
  id: number,
  { pages, reasons, log, ...end }: PublishEnd,
): Promise<void> {
  const columns = {
    ...toRow(end),
    pages_added: pages?.added,
    pages_changed: pages?.changed,
    pages_removed: pages?.removed,
    pages_unchanged: pages?.unchanged,
    reasons_json: reasons && reasonsColumn.encode(reasons),
    log_json: log && logColumn.encode(log),
  }
  await db.updateTable('publishes').set(columns).where('id', '=', id).execute()
}

/** Marks killed publishes as killed. Only one runs at a time, so any that are still open were killed. */
export async function endAbandonedPublishes(
  db: Db,
  { machine, now }: { machine: string; now: string },
): Promise<void> {
  await db
    .updateTable('publishes')
    .set({ status: 'failed', finished_at: now, failure_message: publishFailures.ended })
    .where('machine', '=', machine)
    .where('status', '=', 'running')
    .execute()
}

/**
 * Lists the history, newest first: `limit` rows before the one with the ID `before`. `skipsIdleStarts` leaves out starts
 * of a server that had nothing to publish.
 */
export async function listPublishes(
  db: Db,
  {
    limit,
    before,
    skipsIdleStarts = false,
  }: { limit: number; before?: number | undefined; skipsIdleStarts?: boolean },
): Promise<Publish[]> {
  let query = db.selectFrom('publishes').selectAll().orderBy('id', 'desc').limit(limit)
  if (before !== undefined) query = query.where('id', '<', before)
  if (skipsIdleStarts)
    query = query.where(({ and, not }) => not(and({ started_by: 'start', status: 'unchanged' })))
  return (await query.execute()).map(toPublish)
}

export async function findPublish(db: Db, id: number): Promise<Publish | undefined> {
  const row = await db.selectFrom('publishes').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toPublish(row)
}

/** Returns the last one that decided what visitors of this machine see. */
export function findLastSettledPublish(db: Db, machine: string): Promise<Publish | undefined> {
  return findLast(db, machine, ['published', 'unchanged', 'rolled_back'])
}

/** Returns the last publish or rollback on any machine that decided what visitors see. */
export async function findNewestSettledPublish(
  db: Db,
): Promise<Pick<Publish, 'machine' | 'releaseId'> | undefined> {
  const row = await db
    .selectFrom('publishes')
    .select(['machine', 'release_id'])
    .where('status', 'in', ['published', 'rolled_back'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { machine: row.machine, releaseId: row.release_id }
}

/** Lists this machine's running and failed publishes: after the ID `after`, started until `until`. */
export async function listUnsettledPublishes(
  db: Db,
  { machine, after, until }: { machine: string; after: number; until: string },
): Promise<Publish[]> {
  const rows = await db
    .selectFrom('publishes')
    .selectAll()
    .where('machine', '=', machine)
    .where('id', '>', after)
    .where('started_at', '<=', until)
    .where('status', 'in', ['running', 'failed'])
    .orderBy('id')
    .execute()
  return rows.map(toPublish)
}

/** Returns this machine's last publish that ended this way; undefined if there is none. */
export function findLastPublish(
  db: Db,
  { machine, status }: Pick<Publish, 'machine' | 'status'>,
): Promise<Publish | undefined> {
  return findLast(db, machine, [status])
}

async function findLast(db: Db, machine: string, statuses: Publish['status'][]) {
  const row = await db
    .selectFrom('publishes')
    .selectAll()
    .where('machine', '=', machine)
    .where('status', 'in', statuses)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toPublish(row)
}

/** Deletes all but the newest. */
export async function deleteOldPublishes(db: Db, { kept }: { kept: number }): Promise<void> {
  await db
    .deleteFrom('publishes')
    .where('id', '<=', (row) =>
      row.selectFrom('publishes').select('id').orderBy('id', 'desc').offset(kept).limit(1),
    )
    .execute()
}

function toPublish(row: PublishRow): Publish {
  const { pages_added, pages_changed, pages_removed, pages_unchanged, reasons_json, log_json, ...rest } = row
  return {
    ...fromRow(rest),
    pages: {
      added: pages_added,
      changed: pages_changed,
      removed: pages_removed,
      unchanged: pages_unchanged,
    },
    reasons: reasons_json === null ? [] : reasonsColumn.decode(reasons_json),
    log: log_json === null ? [] : logColumn.decode(log_json),
  }
}
