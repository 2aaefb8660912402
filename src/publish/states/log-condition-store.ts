import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { LogPosition } from '../changes/change-store.ts'

/** The part of the change log after the live release. */
export interface LogPart {
  position: Pick<LogPosition, 'id' | 'openSince'>
  /** Changes published on their own, after the position. */
  ahead: readonly { subject: string; subjectId: string }[]
}

/** Returns the condition on the change log for rows after a position. */
export function isAfter({ id, openSince }: LogPart['position']): RawBuilder<boolean> {
  return openSince === null
    ? sql<boolean>`id > ${id}`
    : sql<boolean>`(id > ${id} or transaction_id >= ${openSince})`
}

/**
 * Returns a query for the IDs, as text, of the entries that were deleted and restored from the trash after a position,
 * and not changed before or after that. A restore is exact, so they are as they were.
 */
export function restoredIds({ position, ahead }: LogPart): RawBuilder<string> {
  const count = (subject: string, action: string) =>
    sql`sum(case when subject = ${sql.lit(subject)} and action = ${sql.lit(action)} then 1 else 0 end)`
  const published = ahead.map(({ subjectId }) => subjectId)
  return sql<string>`(select subject_id from content_changes
    where subject in ('entry', 'entry_terms') and ${isAfter(position)}
      and subject_id not in (${sql.join(['', ...published])})
    group by subject_id
    having ${count('entry', 'removed')} > 0 and ${count('entry', 'removed')} = ${count('entry', 'added')}
      and ${count('entry_terms', 'removed')} = ${count('entry_terms', 'added')}
      and sum(case when action = 'edited' then 1 else 0 end) = 0
      and max(case when action = 'removed' then id end) < min(case when action = 'added' then id end))`
}

/** Lists these entries. */
export async function listRestored(db: Db, part: LogPart): Promise<number[]> {
  const { rows } = await sql<{
    subject_id: string
  }>`select subject_id from ${restoredIds(part)} restored`.execute(db)
  return rows.map(({ subject_id }) => Number(subject_id))
}
