import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Db } from '../../db/schema.ts'
import type { EntryStatus } from '../../entries/entry-store.ts'
import { SERVICES } from '../../entries/types/builtin/slugs.ts'
import type { ShownTerm } from '../../site/sources/page-sources.ts'
import { trashLimit } from '../../versions/trash-days.ts'
import type { LoggedChange } from '../changes/change-store.ts'
import {
  areSettingsBack,
  entryIdsBack,
  isAfter,
  type LogPart,
  type SettingsPart,
  termIdsBack,
  wasAdded,
} from '../states/log-condition-store.ts'

/** Something in the change log, with what decides whether visitors would see its change. */
export interface LoggedSubject extends LoggedChange {
  /** The first row of the log about it after the position. */
  firstChangeId: number
  /** False if it was deleted; always false for pictures and settings. */
  exists: boolean
  /** True for a deleted entry in the trash. */
  isTrashed: boolean
  /** True if it was added after the position. */
  isAdded: boolean
  /** True for an entry, a term, or settings that were changed or deleted and are as the live release shows them again. */
  isRestored: boolean
  /** Undefined for anything else, and for a deleted entry. */
  entry: LoggedEntry | undefined
  /** Undefined for anything else, and for a deleted term. */
  term: ShownTerm | undefined
}

interface LoggedEntry {
  status: EntryStatus
  /** UTC text. */
  publishAt: string | null
  unpublishAt: string | null
  isGenerated: boolean
  isService: boolean
}

interface Row {
  firstChangeId: number
  subject: LoggedChange['subject']
  subjectId: string
  changeId: number
  savedAt: string
  found: number
  trashed: number
  restored: number
  added: number
  status: EntryStatus | null
  publishAt: string | null
  unpublishAt: string | null
  isGenerated: number | null
  isService: number | null
  termId: number | null
  termName: string
  termSlug: string
  parentId: number | null
  position: number
  kind: ShownTerm['kind']
  description: string | null
}

const ENTRY = sql`('entry', 'entry_terms')`

/**
 * Lists what was saved after a position in one query, newest first: each subject once, and at most `limit`. Leaves out
 * pages generated from a service and a place, even deleted ones: a single service can bring any number of them. Only
 * after the time that the trash keeps entries do deleted ones look like these.
 */
export async function listLoggedSubjects(
  db: Db,
  part: LogPart & SettingsPart,
  { limit, now }: { limit: number; now: Date },
): Promise<LoggedSubject[]> {
  const idType = sql.raw(engineOf(db) === 'sqlite' ? 'integer' : 'bigint')
  const { rows } = await sql<Row>`
    select log.subject as "subject", log.subject_id as "subjectId", change_id as "changeId",
      first_id as "firstChangeId", added as "added", saved_at as "savedAt",
      case log.subject ${isIn('term', 'taxonomy_terms')} ${isIn('form', 'forms')} ${isIn('taxonomy', 'taxonomies')}
        ${isIn('type', 'content_types')} else 0 end as "found",
      case when entry.id is null and log.subject in ${ENTRY} then (select count(*) from content_trash
        where subject_kind = 'entry' and subject_id = row_id) else 0 end as "trashed",
      case when log.subject in ${ENTRY} and log.subject_id in ${entryIdsBack(part)} then 1
        when log.subject = 'term' and log.subject_id in ${termIdsBack(db, part)} then 1
        when log.subject = 'setting' and ${areSettingsBack(part)} then 1 else 0 end as "restored",
      entry.status as "status", entry.publish_at as "publishAt", entry.unpublish_at as "unpublishAt",
      entry.is_generated as "isGenerated", case when entry.type_id =
        (select id from content_types where slug = ${SERVICES}) then 1 else 0 end as "isService", term.id as "termId", term.name as "termName", term.slug as "termSlug",
      term.parent_id as "parentId", term.position, term.kind, term.description
    from (
      select subject, subject_id, max(id) as change_id, min(id) as first_id, max(saved_at) as saved_at,
        case when ${wasAdded()} then 1 else 0 end as added,
        case when subject in ('entry', 'entry_terms', 'term', 'form', 'taxonomy', 'type')
          then cast(subject_id as ${idType}) end as row_id
      from content_changes where subject <> 'log' and ${isAfter(part.position)}
      group by subject, subject_id
      having case when subject in ${ENTRY} then ${isOwnChange(idType, now)} else 1 = 1 end
      order by change_id desc limit ${limit}) log
    left join content_entries entry on log.subject in ${ENTRY} and entry.id = row_id
    left join taxonomy_terms term on log.subject = 'term' and term.id = row_id
    order by change_id desc`.execute(db)
  return rows.map(toLogged)
}

function isOwnChange(idType: RawBuilder<unknown>, now: Date): RawBuilder<boolean> {
  const id = sql`cast(content_changes.subject_id as ${idType})`
  return sql`(exists (select 1 from content_entries one where one.id = ${id} and one.is_generated = 0)
    or (max(saved_at) < ${trashLimit(now)} and not exists (select 1 from content_entries one where one.id = ${id}))
    or exists (select 1 from content_trash one where one.subject_kind = 'entry' and one.subject_id = ${id}))`
}

function isIn(subject: string, table: string): RawBuilder<unknown> {
  return sql`when ${sql.lit(subject)} then (select count(*) from ${sql.table(table)} one where one.id = row_id)`
}

function toLogged({
  found,
  trashed,
  restored,
  added,
  status,
  isGenerated,
  isService,
  ...row
}: Row): LoggedSubject {
  const { publishAt, unpublishAt, subject, subjectId, savedAt } = row
  return {
    ...{ subject, subjectId, savedAt },
    changeId: Number(row.changeId),
    firstChangeId: Number(row.firstChangeId),
    exists: status !== null || Number(found) > 0,
    isTrashed: Number(trashed) > 0,
    isAdded: Number(added) > 0,
    isRestored: Number(restored) > 0,
    entry:
      status === null
        ? undefined
        : {
            ...{ status, publishAt, unpublishAt },
            isGenerated: Number(isGenerated) === 1,
            isService: Number(isService) === 1,
          },
    term: toTerm(row),
  }
}

function toTerm({ termId, termName, termSlug, parentId, position, kind, description }: TermRow) {
  if (termId === null) return undefined
  return { id: termId, name: termName, slug: termSlug, parentId, position, kind, description }
}

type TermRow = Pick<
  Row,
  'termId' | 'termName' | 'termSlug' | 'parentId' | 'position' | 'kind' | 'description'
>
