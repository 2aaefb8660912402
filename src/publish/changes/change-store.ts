import { sql } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Db } from '../../db/schema.ts'
import type { ChangeSubject } from '../../db/tables/publish-tables.ts'

/** A place in the log of changes: all that was saved before it is in a release. */
export interface LogPosition {
  /** The ID of the last row. */
  id: number
  /** When that row was written: a database that was restored may have another row of this id. */
  savedAt: string
  /** PostgreSQL only: rows of this transaction and later ones may come to light after the position. */
  openSince: number | null
}

/** Something that was saved. */
export interface ContentChange {
  subject: ChangeSubject
  subjectId: string
}

/** Returns where the log ends. */
export async function findLogEnd(db: Db): Promise<LogPosition> {
  const last = await db
    .selectFrom('content_changes')
    .select(['id', 'saved_at as savedAt'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { id: Number(last.id), savedAt: last.savedAt, openSince: await findOpenTransaction(db) }
}

async function findOpenTransaction(db: Db): Promise<number | null> {
  if (engineOf(db) === 'sqlite') return null
  const { rows } = await sql<{ id: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as id`.execute(db)
  return Number(rows[0]?.id)
}

/**
 * Lists what was saved after a position, each subject once. Undefined when the log does not go back so far, or is not
 * the one of the position. More than `limit` subjects are not all listed.
 */
export async function listChangesAfter(
  db: Db,
  { id, savedAt, openSince }: LogPosition,
  { limit }: { limit: number },
): Promise<ContentChange[] | undefined> {
  const known = await db
    .selectFrom('content_changes')
    .select('id')
    .where('id', '=', id)
    .where('saved_at', '=', savedAt)
    .executeTakeFirst()
  if (!known) return undefined
  const rows = await db
    .selectFrom('content_changes')
    .select(['subject', 'subject_id as subjectId'])
    .where((row) =>
      openSince === null
        ? row('id', '>', id)
        : row.or([row('id', '>', id), row('transaction_id', '>=', openSince)]),
    )
    .groupBy(['subject', 'subject_id'])
    .limit(limit + 1)
    .execute()
  return rows.flatMap(({ subject, subjectId }) => (subject === 'log' ? [] : [{ subject, subjectId }]))
}

/** Something that was saved, and the last time it was. */
export interface LoggedChange extends ContentChange {
  /** The ID of the last row about it in the log. */
  changeId: number
  /** UTC text. */
  savedAt: string
}

/** Lists what was saved after a position, the newest first, each subject once and `limit` subjects at most. */
export async function listLoggedAfter(
  db: Db,
  { id, openSince }: Pick<LogPosition, 'id' | 'openSince'>,
  { limit }: { limit: number },
): Promise<LoggedChange[]> {
  const rows = await db
    .selectFrom('content_changes')
    .select(({ fn }) => [
      ...(['subject', 'subject_id as subjectId'] as const),
      fn.max('id').as('changeId'),
      fn.max('saved_at').as('savedAt'),
    ])
    .where('subject', '<>', 'log')
    .where((row) =>
      openSince === null
        ? row('id', '>', id)
        : row.or([row('id', '>', id), row('transaction_id', '>=', openSince)]),
    )
    .groupBy(['subject', 'subject_id'])
    .orderBy('changeId', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    subject: row.subject as ChangeSubject,
    subjectId: row.subjectId,
    changeId: Number(row.changeId),
    savedAt: row.savedAt,
  }))
}

/** Forgets what was saved before a moment, but not the end of the log. */
export async function deleteOldChanges(db: Db, { before }: { before: string }): Promise<void> {
  await db
    .deleteFrom('content_changes')
    .where('saved_at', '<', before)
    .where('id', '<', (row) => row.selectFrom('content_changes').select((one) => one.fn.max('id').as('id')))
    .execute()
}
