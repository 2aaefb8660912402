import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Db } from '../../db/schema.ts'
import { SERVICES } from '../../entries/types/builtin/slugs.ts'
import type { LogPosition } from '../changes/change-store.ts'

/** The part of the change log after the live release. */
export interface LogPart {
  position: LogPosition
  /** Changes published on their own, after the position. */
  ahead: readonly { subject: string; subjectId: string }[]
}

/** Returns the condition on the change log for rows after a position. */
export function isAfter({ id, openSince }: Pick<LogPosition, 'id' | 'openSince'>): RawBuilder<boolean> {
  return openSince === null
    ? sql<boolean>`id > ${id}`
    : sql<boolean>`(id > ${id} or transaction_id >= ${openSince})`
}

/** Returns the condition on the grouped rows about something that they add it, and nothing removed it before. */
export function wasAdded(): RawBuilder<boolean> {
  return sql<boolean>`(max(case when action = 'added' then 1 else 0 end) = 1
    and max(case when action = 'removed' then 1 else 0 end) = 0)`
}

/** Returns a query for the IDs, as text, of the entries that were saved after a position and are as they were. */
export function entryIdsBack(part: LogPart): RawBuilder<string> {
  return sql<string>`(${restoredIds(part)} union all ${editedBackIds(part)})`
}

// Entries that were deleted and restored from the trash, and not changed before or after that. A restore is exact. Local
// pages, which have no terms, may come and go several times.
function restoredIds({ position, ahead }: LogPart): RawBuilder<string> {
  const isOf = (subject: string, action: string) =>
    sql`subject = ${sql.lit(subject)} and action = ${sql.lit(action)}`
  const count = (subject: string, action: string) =>
    sql`sum(case when ${isOf(subject, action)} then 1 else 0 end)`
  const first = (subject: string, action: string) => sql`min(case when ${isOf(subject, action)} then id end)`
  return sql<string>`select subject_id from content_changes
    where subject in ('entry', 'entry_terms') and ${isAfter(position)} and ${isNotAhead(ahead)}
    group by subject_id
    having ${count('entry', 'removed')} > 0 and ${count('entry', 'removed')} = ${count('entry', 'added')}
      and ${count('entry_terms', 'removed')} = ${count('entry_terms', 'added')}
      and sum(case when action = 'edited' then 1 else 0 end) = 0
      and ${first('entry', 'removed')} < ${first('entry', 'added')}
      and coalesce(max(case when ${isOf('entry_terms', 'removed')} then id end)
        < ${first('entry_terms', 'added')}, true)`
}

// Entries whose newest version is what the entry is now, and equals the live one.
function editedBackIds({ position, ahead }: LogPart): RawBuilder<string> {
  return sql<string>`select cast(entry.id as text) from content_entries entry
    join content_versions newest on newest.id = (select max(id) from content_versions
      where subject_kind = 'entry' and subject_id = entry.id and state = 'saved')
    where entry.id in (select cast(subject_id as bigint) from content_changes
        where subject in ('entry', 'entry_terms') and ${isAfter(position)} and ${isNotAhead(ahead)}
        group by subject_id having count(*) > 1)
      and newest.saved_at = entry.updated_at and newest.saved_at > ${position.savedAt}
      and newest.content_sha256 = ${hashAt('entry', sql`entry.id`, position)}`
}

/**
 * Returns a query for the IDs, as text, of the terms that were saved after a position and are as they were. Every change
 * was saved as a version, and none moved the term.
 */
export function termIdsBack(db: Db, { position, ahead }: LogPart): RawBuilder<string> {
  const isSqlite = engineOf(db) === 'sqlite'
  // The end of the JSON, where the next key follows the parent.
  const parent = sql`('"parentId":' || coalesce(cast(term.parent_id as text), 'null') || ',"slug"')`
  const hasParent = isSqlite
    ? sql`instr(content, cast(${parent} as blob)) > 0`
    : sql`position(convert_to(${parent}, 'UTF8') in content) > 0`
  const later = sql`from content_versions where subject_kind = 'term' and subject_id = term.id
    and state = 'saved' and saved_at > ${position.savedAt}`
  return sql<string>`(select cast(term.id as text) from taxonomy_terms term
    join (select subject_id, count(*) as edits from content_changes
      where subject = 'term' and ${isAfter(position)} and ${isNotAhead(ahead)}
      group by subject_id having count(*) > 1) changed on term.id = cast(changed.subject_id as bigint)
    where edits = (select count(*) ${later} and ${hasParent})
      and (select content_sha256 ${later} order by id desc limit 1) = ${hashAt('term', sql`term.id`, position)})`
}

function isNotAhead(ahead: LogPart['ahead']): RawBuilder<boolean> {
  return sql<boolean>`subject_id not in (${sql.join(['', ...ahead.map(({ subjectId }) => subjectId)])})`
}

// The hash of the version that was newest at the position.
function hashAt(kind: 'entry' | 'term', id: RawBuilder<unknown>, { savedAt }: LogPosition) {
  return sql`(select content_sha256 from content_versions where subject_kind = ${sql.lit(kind)}
    and subject_id = ${id} and state = 'saved' and saved_at <= ${savedAt} order by id desc limit 1)`
}

/** Returns the condition on the change log that leaves out entries and terms that are as they were. */
export function isStillChanged(db: Db, part: LogPart): RawBuilder<boolean> {
  return sql<boolean>`(case when subject in ('entry', 'entry_terms') then subject_id not in ${entryIdsBack(part)}
    when subject = 'term' then subject_id not in ${termIdsBack(db, part)} else 1 = 1 end)`
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

/** Returns the type of IDs as a cast names it. */
export function idType(db: Db) {
  return sql.raw(engineOf(db) === 'sqlite' ? 'integer' : 'bigint')
}

/** Returns the IDs of the terms of any taxonomy that were added after a position. */
export async function listTermsAdded(db: Db, { position }: Pick<LogPart, 'position'>): Promise<Set<number>> {
  const rows = await db
    .selectFrom('content_changes')
    .select('subject_id')
    .where('subject', '=', 'term')
    .where(isAfter(position))
    .groupBy('subject_id')
    .having(wasAdded())
    .execute()
  return new Set(rows.map((row) => Number(row.subject_id)))
}

/** Lists the services saved after a position, at most `limit`. */
export async function listServicesSaved(
  db: Db,
  { position }: Pick<LogPart, 'position'>,
  { limit }: { limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from content_entries where type_id = (select id from content_types where slug = ${SERVICES})
      and id in (select cast(subject_id as ${idType(db)}) from content_changes
        where subject in ('entry', 'entry_terms') and ${isAfter(position)})
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
