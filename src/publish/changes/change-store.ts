import { sql } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Db } from '../../db/schema.ts'
import type { ChangeSubject } from '../../db/tables/publish-tables.ts'

/** A position in the change log: everything saved before it is in a release. */
export interface LogPosition {
  /** The ID of the last row. */
  id: number
  /** Time of that row, because in a restored database another row may have the same ID. */
  savedAt: string
  /** PostgreSQL only: rows of this transaction and later ones may become visible after the position. */
  openSince: number | null
}

/** Something that was saved. */
export interface ContentChange {
  subject: ChangeSubject
  subjectId: string
}

/** A change selected by a person. */
export interface SelectedChange extends ContentChange {
  /** For a draft to show in place of the saved version: a text that changes with it. */
  draft?: string | undefined
  /** For a saved version: the last row of the log about it. */
  changeId?: number | undefined
}

/** Returns the end of the log. */
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
 * Lists what was saved after a position, each subject once. Undefined if the log doesn't go back that far or isn't
 * the position's log. If there are more than `limit` subjects, the list is incomplete.
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
  const rows = await selectAfter(db, { id, openSince })
    .select(['subject', 'subject_id as subjectId'])
    .groupBy(['subject', 'subject_id'])
    .limit(limit + 1)
    .execute()
  return rows.flatMap(({ subject, subjectId }) => (subject === 'log' ? [] : [{ subject, subjectId }]))
}

// Materialized, because SQLite otherwise groups by reading the index of the whole log, however few rows follow.
function selectAfter(db: Db, { id, openSince }: Pick<LogPosition, 'id' | 'openSince'>) {
  return db
    .with(
      (name) => name('changed').materialized(),
      (query) =>
        query
          .selectFrom('content_changes')
          .select(['id', 'saved_at', 'subject', 'subject_id'])
          .where((row) =>
            openSince === null
              ? row('id', '>', id)
              : row.or([row('id', '>', id), row('transaction_id', '>=', openSince)]),
          ),
    )
    .selectFrom('changed')
}

/** A saved subject, and the last time it was saved. */
export interface LoggedChange extends ContentChange {
  /** The ID of its last row in the log. */
  changeId: number
  /** UTC text. */
  savedAt: string
}

/** Lists what was saved after a position, newest first: each subject once, and at most `limit` subjects. */
export async function listLoggedAfter(
  db: Db,
  after: Pick<LogPosition, 'id' | 'openSince'>,
  { limit }: { limit: number },
): Promise<LoggedChange[]> {
  const rows = await selectAfter(db, after)
    .select(({ fn }) => [
      ...(['subject', 'subject_id as subjectId'] as const),
      fn.max('id').as('changeId'),
      fn.max('saved_at').as('savedAt'),
    ])
    .where('subject', '<>', 'log')
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

const SETTLED = ['published', 'unchanged', 'rolled_back'] as const

/**
 * Deletes rows from before a time, except the last one that was published and all after it. After a rollback, deletes
 * none: the changes since the live release are not live.
 */
export async function deleteOldChanges(db: Db, { before }: { before: string }): Promise<void> {
  const last = await db
    .selectFrom('publishes')
    .select('status')
    .where('status', 'in', SETTLED)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last?.status === 'rolled_back') return
  const { publishedId } = await db
    .selectFrom('publishes')
    .select(({ fn }) => fn.max('change_id').as('publishedId'))
    .executeTakeFirstOrThrow()
  await db
    .deleteFrom('content_changes')
    .where('saved_at', '<', before)
    .$if(publishedId !== null, (query) => query.where('id', '<', publishedId))
    .where('id', '<', (row) => row.selectFrom('content_changes').select((one) => one.fn.max('id').as('id')))
    .execute()
}
