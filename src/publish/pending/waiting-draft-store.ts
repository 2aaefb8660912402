import { sql } from 'kysely'
import { containsBytes, engineOf } from '../../db/dialects.ts'
import type { Db } from '../../db/schema.ts'
import { nameOfEntry } from '../../entries/entry-name.ts'
import type { EntryStatus } from '../../entries/entry-store.ts'
import type { EntrySnapshot } from '../../entries/history/entry-snapshot.ts'
import { scheduleOfStored } from '../../entries/history/scheduled-draft.ts'
import { LOCATION_SERVICES } from '../../entries/types/builtin/slugs.ts'
import { listChangedAreas, type SettingsArea } from '../../site/settings/settings-areas.ts'
import { DEFAULT_SITE_SETTINGS } from '../../site/settings/site-settings.ts'
import { readJson, writeContent } from '../../versions/packed-content.ts'

/** Maximum number of drafts that are listed. */
const MOST_LISTED = 100

/** A draft that no publish shows until someone adds it, and no preview until someone selects it. */
export interface WaitingDraft {
  subject: 'entry' | 'setting'
  /** `site` for the settings. */
  subjectId: string
  /** Empty for the settings. */
  name: string
  /** The parts of the settings in which their draft differs. */
  areas?: SettingsArea[]
  /** The slug of the entry's type. */
  typeSlug: string
  /** False for an entry that was never published. */
  isOfPublished: boolean
  /** Changes with the draft's content, except its date, and with the saved version. */
  stamp: string
}

/** The drafts that are named, and the number of all. */
export interface WaitingDrafts {
  drafts: WaitingDraft[]
  count: number
}

/** A draft of an entry that goes live by itself. */
export interface DatedDraft extends WaitingDraft {
  /** UTC text. */
  at: string
}

/** The drafts that wait for a person, and those that go live by themselves. */
export interface ListedDrafts {
  waiting: WaitingDrafts
  dated: DatedDraft[]
}

interface Row {
  subject: WaitingDraft['subject']
  id: number
  title: string
  slug: string
  service: string | null
  place: string | null
  type: string
  status: EntryStatus
  publishAt: string | null
  savedAt: string | null
  updatedAt: string | null
  contentSha256: string | null
  /** Content that may have a date. */
  dated: Uint8Array | null
  /** The draft of the settings. */
  settings: Uint8Array | null
  /** The version saved before the draft; for entries, only with `dated`. */
  base: Uint8Array | null
  total: number
}

/**
 * Lists the drafts of published entries and of the settings, and entries that are drafts, in one query: those that go
 * live by themselves after `now`, and the others. A local page that is a draft is turned off, and left out.
 */
export async function listDrafts(db: Db, { now }: { now: Date }): Promise<ListedDrafts> {
  const hasDate = containsBytes(engineOf(db), 'version.content', Buffer.from('"publishAt":"'))
  const { rows } = await sql<Row>`
    select subject, id, title, slug, service, place, type, status, "publishAt", "savedAt", "updatedAt",
      "contentSha256", dated, settings, base, count(*) over () as total from (
      select 'entry' as subject, entry.id, entry.title, entry.slug, service.title as service, place.name as place,
        type.slug as type, entry.status,
        entry.publish_at as "publishAt", version.saved_at as "savedAt", entry.updated_at as "updatedAt",
        version.content_sha256 as "contentSha256",
        case when ${hasDate} then version.content end as dated,
        null as settings,
        case when ${hasDate} then (select content from content_versions saved where saved.subject_kind = 'entry'
          and saved.subject_id = entry.id and saved.state = 'saved' and saved.id < version.id
          order by saved.id desc limit 1) end as base
      from content_entries entry join content_types type on type.id = entry.type_id
        left join content_entries service on service.id = entry.service_entry_id
        left join taxonomy_terms place on place.id = entry.location_term_id
        left join content_versions version on version.subject_kind = 'entry' and version.subject_id = entry.id
          and version.state = 'draft'
      where entry.id in (select subject_id from content_versions where subject_kind = 'entry' and state = 'draft'
        union select id from content_entries where status = 'draft'
          and type_id in (select id from content_types where slug <> ${LOCATION_SERVICES}))
      union all
      select 'setting', 0, '', '', null, null, '', 'published', null, null,
        (select updated_at from settings where key = 'site'), content_sha256, null, content,
        (select content from content_versions saved where saved.subject_kind = 'settings' and saved.state = 'saved'
          and saved.id < made.id order by saved.id desc limit 1)
      from content_versions made where subject_kind = 'settings' and state = 'draft') draft
    order by subject desc, title, id limit ${MOST_LISTED}`.execute(db)
  const moment = now.toISOString()
  const listed = rows.map((row) => ({ row: { ...row, name: nameOfEntry(row) }, at: dateOf(row) }))
  const dated = listed.flatMap(({ row, at }) =>
    at !== undefined && at > moment ? [{ at, ...toWaiting(row) }] : [],
  )
  const drafts = listed.filter(({ at }) => at === undefined || at <= moment).map(({ row }) => toWaiting(row))
  return { waiting: { drafts, count: Number(rows[0]?.total ?? 0) - dated.length }, dated }
}

function dateOf({ savedAt, dated, base, ...row }: Row): string | undefined {
  if (!dated || savedAt === null) return undefined
  const draft = { version: { savedAt }, content: readJson(dated) }
  return scheduleOfStored(row, draft, base ? readJson(base) : undefined)
}

function toWaiting({ subject, id, name, type, status, ...row }: Row & { name: string }): WaitingDraft {
  return {
    ...{ subject, name, typeSlug: type, isOfPublished: status === 'published' },
    ...(subject === 'setting' ? { subjectId: 'site', areas: areasOf(row) } : { subjectId: String(id) }),
    stamp: `${row.updatedAt} ${hashWithoutDate(row)}`,
  }
}

function areasOf({ settings, base }: Pick<Row, 'settings' | 'base'>): SettingsArea[] {
  return listChangedAreas(base ? readJson(base) : DEFAULT_SITE_SETTINGS, settings && readJson(settings))
}

// A schedule changes when a draft goes live, and nothing that it shows.
function hashWithoutDate({
  dated,
  publishAt,
  contentSha256,
}: Pick<Row, 'dated' | 'publishAt' | 'contentSha256'>) {
  if (!dated) return contentSha256
  return writeContent({ ...(readJson(dated) as EntrySnapshot), publishAt }).contentSha256
}
