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

/** The live release, as far as it tells which settings it shows. */
export interface SettingsPart {
  position: Pick<LogPosition, 'savedAt'>
  ahead: readonly { subject: string; changeId: number }[]
}

/** Returns the condition that the settings were changed back to those that the live release shows. */
export function areSettingsBack({ position, ahead }: SettingsPart): RawBuilder<boolean> {
  const published = ahead.find(({ subject }) => subject === 'setting')?.changeId ?? 0
  const hash = sql`select content_sha256 from content_versions where subject_kind = 'settings' and state = 'saved'`
  const shownAt = sql`coalesce((select saved_at from content_changes where id = ${published}), ${position.savedAt})`
  return sql<boolean>`(${hash} order by id desc limit 1) = (${hash} and saved_at <= ${shownAt} order by id desc limit 1)`
}

/** Returns whether they were. */
export async function hasSettingsBack(db: Db, part: SettingsPart): Promise<boolean> {
  const { rows } = await sql<{ isBack: number }>`
    select case when ${areSettingsBack(part)} then 1 else 0 end as "isBack"`.execute(db)
  return Number(rows[0]?.isBack) === 1
}
