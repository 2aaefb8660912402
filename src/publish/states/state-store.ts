import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { ChangeSubject } from '../../db/tables/publish-tables.ts'
import { SERVICES } from '../../entries/types/builtin/slugs.ts'
import type { ContentChange, LoggedChange } from '../changes/change-store.ts'
import {
  entryIdsBack,
  idType,
  isAfter,
  isStillChanged,
  type LogPart,
  termIdsBack,
  wasAdded,
} from './log-condition-store.ts'

const ENTRY_SUBJECTS = ['entry', 'entry_terms'] as const

/**
 * Lists the latest change of each of these entries and terms after a position, without those that are as they were.
 * Also lists the terms added since.
 */
export async function listChangedAmong(
  db: Db,
  part: LogPart,
  { entryIds, termIds }: { entryIds: readonly number[]; termIds: readonly number[] },
): Promise<(Pick<LoggedChange, 'subject' | 'subjectId' | 'changeId'> & { isAdded: boolean })[]> {
  const rows = await db
    .selectFrom('content_changes')
    .select(({ fn }) => ['subject', 'subject_id as subjectId', fn.max('id').as('changeId')])
    .select(sql<number>`case when ${wasAdded()} then 1 else 0 end`.as('added'))
    .where(({ or, and, eb }) =>
      or([
        and([eb('subject', 'in', ENTRY_SUBJECTS), eb('subject_id', 'in', ['', ...entryIds.map(String)])]),
        and([eb('subject', '=', 'term'), eb('subject_id', 'in', ['', ...termIds.map(String)])]),
        and([eb('subject', '=', 'term'), eb('action', '=', 'added')]),
      ]),
    )
    .where(isAfter(part.position))
    .where(isStillChanged(db, part))
    .groupBy(['subject', 'subject_id'])
    .execute()
  return rows.map(({ subject, subjectId, changeId, added }) => ({
    subject: subject as ContentChange['subject'],
    subjectId,
    changeId: Number(changeId),
    isAdded: Number(added) === 1,
  }))
}

/** Returns the ID of something's latest row in the change log after a position; undefined if it is as it was then. */
export async function findLatestSave(
  db: Db,
  part: LogPart,
  { subjects, id }: { subjects: readonly ChangeSubject[]; id: number | string },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('content_changes')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('subject', 'in', subjects)
    .where('subject_id', '=', String(id))
    .where(isAfter(part.position))
    .where(isStillChanged(db, part))
    .executeTakeFirst()
  return row?.id ? Number(row.id) : undefined
}

/** Returns the time of a row in the change log (UTC text); undefined if it was deleted. */
export async function findSaveTime(db: Db, changeId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('content_changes')
    .select('saved_at')
    .where('id', '=', changeId)
    .executeTakeFirst()
  return row?.saved_at
}

/** Parts of a condition on `content_entries`, for a filter by state. */
export interface StateParts {
  /** The site shows it at that time; for a local page, its service must be shown too. */
  isShown: RawBuilder<boolean>
  isDraft: RawBuilder<boolean>
  isScheduled: RawBuilder<boolean>
  /** Saved since the release, or scheduled for a time since then. */
  isChanged: RawBuilder<boolean>
}

interface Since extends LogPart {
  /** UTC text. */
  shownAt: string
  /** IDs of entries saved after the position that are as visitors see them. */
  shownIds: readonly number[]
}

/** Returns the parts of a filter by state; without `since`, nothing has changed. */
export function stateParts(
  db: Db,
  { isPair, now, since }: { isPair: boolean; now: Date; since: Since | undefined },
): StateParts {
  const moment = now.toISOString()
  const services = (where: RawBuilder<boolean>) =>
    sql<boolean>`content_entries.service_entry_id in (select service.id from content_entries service where ${where})`
  const own = shownAt('content_entries', moment)
  const isDraft = sql<boolean>`content_entries.status = 'draft'`
  const isScheduled = sql<boolean>`(content_entries.status = 'published' and content_entries.publish_at > ${moment})`
  return {
    isShown: isPair
      ? sql<boolean>`(${own} and ${services(shownAt('service', moment))})`
      : sql<boolean>`(${own})`,
    isDraft: isPair ? sql<boolean>`(${isDraft} or ${services(sql`service.status = 'draft'`)})` : isDraft,
    isScheduled: isPair
      ? sql<boolean>`(${isScheduled} or ${services(sql`service.status = 'published' and service.publish_at > ${moment}`)})`
      : isScheduled,
    isChanged: since ? changedSince(db, since, { isPair, moment }) : sql<boolean>`(1 = 0)`,
  }
}

function shownAt(table: string, moment: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql<boolean>`${column('status')} = 'published'
    and (${column('publish_at')} is null or ${column('publish_at')} <= ${moment})
    and (${column('unpublish_at')} is null or ${column('unpublish_at')} > ${moment})`
}

function changedIds(db: Db, { shownIds, ...part }: Since): RawBuilder<number> {
  const isOther =
    shownIds.length === 0 ? sql`1 = 1` : sql`subject_id not in (${sql.join(shownIds.map(String))})`
  return sql<number>`(select cast(subject_id as ${idType(db)}) from content_changes
    where subject in ('entry', 'entry_terms') and ${isAfter(part.position)} and ${isOther}
      and subject_id not in ${entryIdsBack(part)})`
}

function changedSince(
  db: Db,
  since: Since,
  { isPair, moment }: { isPair: boolean; moment: string },
): RawBuilder<boolean> {
  const entries = changedIds(db, since)
  const terms = sql`(select cast(subject_id as ${idType(db)}) from content_changes
    where subject = 'term' and ${isAfter(since.position)} and subject_id not in ${termIdsBack(db, since)})`
  const due = ['publish_at', 'unpublish_at'].map(
    (column) => sql`union select id from content_entries
      where ${sql.ref(column)} > ${since.shownAt} and ${sql.ref(column)} <= ${moment}`,
  )
  const pairs = sql`union select id from content_entries where service_entry_id in ${entries}
    union select id from content_entries where location_term_id in ${terms}`
  // By ID, so that a few of many are found without reading all.
  return sql<boolean>`content_entries.id in (select id from content_entries where id in ${entries}
    ${isPair ? pairs : sql``} ${sql.join(due, sql` `)})`
}

/**
 * A content type with numbers of its entries. Those in `pending`, `scheduled`, and `ended` also count as published.
 */
export interface UnsettledCounts {
  slug: string
  name: string
  published: number
  draft: number
  /** Published ones with a draft beside them. */
  edited: number
  pending: number
  scheduled: number
  ended: number
}

/** Numbers of published local pages whose service isn't shown, by its state. */
type PairsOfHidden = Record<'draftPairs' | 'scheduledPairs' | 'endedPairs', number>

/**
 * Counts each type's entries that the next publish changes, that are scheduled, and whose end date has passed, and the
 * drafts of the settings, in a time that depends on the number of these, not of all. A local page counts as pending
 * only if it was saved itself, and not as published while its service isn't shown.
 */
export async function countUnsettled(
  db: Db,
  { now, since }: { now: Date; since: Since },
): Promise<{ types: UnsettledCounts[]; settingsDrafts: number; isChanged: boolean }> {
  const moment = now.toISOString()
  const countOf = (status: string) => sql`(select count(*) from content_entries entry
    where entry.type_id = type.id and entry.status = ${status})`
  const hiddenServices = sql`(select service.id from content_entries service
    where service.type_id in (select id from content_types where slug = ${SERVICES})
      and not (${shownAt('service', moment)}))`
  const { rows } = await sql<UnsettledCounts & PairsOfHidden & { settingsDrafts: number; logged: number }>`
    select type.slug, type.name, ${countOf('published')} as published, ${countOf('draft')} as draft,
      (select count(*) from content_versions version join content_entries entry on entry.id = version.subject_id
        where version.subject_kind = 'entry' and version.state = 'draft'
          and entry.type_id = type.id and entry.status = 'published') as edited,
      (select count(*) from content_versions where subject_kind = 'settings' and state = 'draft') as "settingsDrafts",
      (select count(*) from (select 1 from content_changes where ${isAfter(since.position)} limit 1) saved) as logged,
      coalesce(pending, 0) as pending, coalesce(scheduled, 0) as scheduled, coalesce(ended, 0) as ended,
      coalesce(draft_pairs, 0) as "draftPairs", coalesce(scheduled_pairs, 0) as "scheduledPairs",
      coalesce(ended_pairs, 0) as "endedPairs"
    from content_types type left join (
      select entry.type_id,
        sum(case when service.status = 'draft' then 1 else 0 end) as draft_pairs,
        sum(case when service.status = 'published' and service.publish_at > ${moment} then 1 else 0 end)
          as scheduled_pairs,
        sum(case when service.status = 'published' and service.unpublish_at <= ${moment} then 1 else 0 end)
          as ended_pairs
      from content_entries entry join content_entries service on service.id = entry.service_entry_id
      where entry.status = 'published' and entry.service_entry_id in ${hiddenServices}
      group by entry.type_id) hidden on hidden.type_id = type.id
    left join (
      select type_id,
        sum(case when ${shownAt('entry', moment)} then 1 else 0 end) as pending,
        sum(case when entry.publish_at > ${moment} then 1 else 0 end) as scheduled,
        sum(case when entry.unpublish_at <= ${moment} then 1 else 0 end) as ended
      from content_entries entry
      where entry.status = 'published'
        and (entry.service_entry_id is null or entry.service_entry_id not in ${hiddenServices})
        and entry.id in (
        select id from content_entries where id in ${changedIds(db, since)}
        union select id from content_entries where publish_at > ${since.shownAt}
        union select id from content_entries where unpublish_at is not null and unpublish_at <= ${moment})
      group by type_id) unsettled on unsettled.type_id = type.id
    order by type.sort_order, type.slug`.execute(db)
  const [first] = rows
  const types = rows.map(({ slug, name, ...counts }) => ({
    slug,
    name,
    published: Number(counts.published) - Number(counts.draftPairs),
    draft: Number(counts.draft) + Number(counts.draftPairs),
    edited: Number(counts.edited),
    pending: Number(counts.pending),
    scheduled: Number(counts.scheduled) + Number(counts.scheduledPairs),
    ended: Number(counts.ended) + Number(counts.endedPairs),
  }))
  return {
    types,
    settingsDrafts: Number(first?.settingsDrafts ?? 0),
    isChanged: Number(first?.logged ?? 0) > 0,
  }
}

/** The IDs of a type's entries that changed and aren't shown; some may still be live. */
export async function listHiddenChanged(
  db: Db,
  { typeId, parts, limit }: { typeId: number; parts: StateParts; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('content_entries')
    .select('id')
    .where('type_id', '=', typeId)
    .where(sql<boolean>`not ${parts.isShown}`)
    .where(parts.isChanged)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
