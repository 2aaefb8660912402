import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { escapeLike, isLike } from '../db/statements/is-like.ts'
import { pairName } from '../messages/admin/entries.ts'
import type { EntryStatus } from './entry-store.ts'

const MOST_WORDS = 8
/** Words between the service and the place in a local page's name. */
const CONNECTING_WORDS = pairName('', '').trim().split(' ')

/** Selects the IDs of a term and all below it. */
export const termAndBelow = (termId: number) => sql<number>`(
  with recursive branch (id) as (
    select id from taxonomy_terms where id = ${termId}
    union
    select term.id from taxonomy_terms term join branch on term.parent_id = branch.id
  )
  select id from branch)`

/** An entry in a list. */
export interface ListedEntry {
  id: number
  slug: string
  title: string
  status: EntryStatus
  isGenerated: boolean
  /** UTC text, like the others. */
  publishAt: string | null
  unpublishAt: string | null
  createdAt: string
  updatedAt: string
  /** True if there is a saved draft besides the live version. */
  hasDraft: boolean
  /** For a location service. */
  serviceTitle: string | null
  placeId: number | null
  placeName: string | null
  service: ListedService | undefined
}

/** The schedule of a listed page's service. */
interface ListedService {
  id: number
  status: EntryStatus
  publishAt: string | null
  unpublishAt: string | null
}

export interface EntryFilter {
  /** An extra condition on the row, such as its state on the live site. */
  matches?: RawBuilder<boolean> | undefined
  /** Words of the title, the slug, or a local page's service and place, ignoring case. */
  text?: string | undefined
  /** Entries with this term or one below it; for location services, also those in that place. */
  termId?: number | undefined
  /** Excludes location services that inherit everything. */
  isWritten?: boolean | undefined
}

export type EntryOrder = 'slug' | 'changed'

/** Start of the next page: sort values of the last entry before it. */
export interface EntryCursor {
  key: string
  id: number
}

/** Returns one page of a type's entries: by slug, or latest change first. */
export async function listEntryPage(
  db: Db,
  typeId: number,
  filter: EntryFilter,
  { order, after, limit }: { order: EntryOrder; after?: EntryCursor | undefined; limit: number },
): Promise<ListedEntry[]> {
  const query = applyFilter(entriesOfType(db, typeId).limit(limit), typeId, filter)
  const rows = await (order === 'slug' ? bySlug(query, after) : byChange(query, after)).execute()
  return rows.map(toListed)
}

/** A page found by its name. */
export interface NamedPage extends Pick<ListedEntry, 'slug' | 'title' | 'serviceTitle' | 'placeName'> {
  typeId: number
}

/** Returns published entries of these types whose title or slug contains every word, local pages last. */
export async function listPagesNamed(
  db: Db,
  typeIds: readonly number[],
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<NamedPage[]> {
  if (typeIds.length === 0) return []
  let query = db
    .selectFrom('content_entries')
    .select(['type_id as typeId', 'slug', 'title'])
    .select((row) => [
      row
        .selectFrom('content_entries as service')
        .select('service.title')
        .whereRef('service.id', '=', 'content_entries.service_entry_id')
        .as('serviceTitle'),
      row
        .selectFrom('taxonomy_terms')
        .select('name')
        .whereRef('taxonomy_terms.id', '=', 'content_entries.location_term_id')
        .as('placeName'),
    ])
    .where('type_id', 'in', typeIds)
    .where('status', '=', 'published')
    .orderBy(sql`case when service_entry_id is null then 0 else 1 end`)
    .orderBy('slug')
    .limit(limit)
  for (const word of words) query = query.where(isNamed(word))
  return query.execute()
}

/** Counts the entries of each type by status, by type ID. Answered from an index. */
export async function countEntriesByType(db: Db): Promise<Map<number, Record<EntryStatus, number>>> {
  const rows = await db
    .selectFrom('content_entries')
    .select(['type_id', 'status', (row) => row.fn.countAll<number>().as('count')])
    .groupBy(['type_id', 'status'])
    .execute()
  const counts = new Map<number, Record<EntryStatus, number>>()
  for (const { type_id, status, count } of rows) {
    const known = counts.get(type_id) ?? { draft: 0, published: 0 }
    counts.set(type_id, { ...known, [status]: Number(count) })
  }
  return counts
}

function entriesOfType(db: Db, typeId: number) {
  return db
    .selectFrom('content_entries')
    .select(['id', 'slug', 'title', 'status', 'is_generated', 'publish_at as publishAt'])
    .select(['unpublish_at as unpublishAt', 'created_at as createdAt', 'updated_at as updatedAt'])
    .select(['service_entry_id', 'location_term_id as placeId'])
    .select((row) => [
      ...(['title', 'status', 'publish_at', 'unpublish_at'] as const).map((column) =>
        row
          .selectFrom('content_entries as service')
          .select(`service.${column} as value`)
          .whereRef('service.id', '=', 'content_entries.service_entry_id')
          .as(`service_${column}`),
      ),
      row
        .exists(
          row
            .selectFrom('content_versions as version')
            .select(row.lit(1).as('one'))
            .whereRef('version.subject_id', '=', 'content_entries.id')
            .where('version.subject_kind', '=', 'entry')
            .where('version.state', '=', 'draft'),
        )
        .as('has_draft'),
      row
        .selectFrom('taxonomy_terms')
        .select('name')
        .whereRef('taxonomy_terms.id', '=', 'content_entries.location_term_id')
        .as('placeName'),
    ])
    .where('type_id', '=', typeId)
}

type ListQuery = ReturnType<typeof entriesOfType>
type ListRow = Awaited<ReturnType<ListQuery['execute']>>[number]

function toListed({ is_generated, has_draft, service_entry_id: id, ...row }: ListRow): ListedEntry {
  const { service_title, service_status, service_publish_at, service_unpublish_at, ...listed } = row
  return {
    ...listed,
    isGenerated: is_generated === 1,
    hasDraft: Boolean(has_draft),
    serviceTitle: service_title,
    service:
      id === null || service_status === null
        ? undefined
        : {
            id,
            status: service_status as EntryStatus,
            publishAt: service_publish_at,
            unpublishAt: service_unpublish_at,
          },
  }
}

function applyFilter(query: ListQuery, typeId: number, filter: EntryFilter): ListQuery {
  let filtered = query
  if (filter.matches) filtered = filtered.where(filter.matches)
  if (filter.isWritten) filtered = filtered.where('is_generated', '=', 0)
  for (const word of wordsOf(filter.text ?? ''))
    filtered = filtered.where(sql<boolean>`(${isNamed(word)} or ${isPairOf(word, typeId)})`)
  const { termId } = filter
  if (termId === undefined) return filtered
  return filtered.where(({ eb, or }) =>
    or([
      eb('location_term_id', 'in', termAndBelow(termId)),
      sql<boolean>`id in (select entry_id from entry_taxonomy_terms
        where type_id = ${typeId} and term_id in ${termAndBelow(termId)})`,
    ]),
  )
}

function wordsOf(text: string): string[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const telling = words.filter((word) => !CONNECTING_WORDS.includes(word.toLowerCase()))
  return (telling.length > 0 ? telling : words).slice(0, MOST_WORDS)
}

// A local page is called by its service and place, and a neighborhood's place also by its city.
function isPairOf(word: string, typeId: number): RawBuilder<boolean> {
  const places = sql`select id from taxonomy_terms where ${isCalled(word, 'name')}`
  return sql<boolean>`(service_entry_id in
      (select id from content_entries where type_id <> ${typeId} and ${isCalled(word, 'title')})
    or location_term_id in (select id from taxonomy_terms where ${isCalled(word, 'name')} or parent_id in (${places})))`
}

function isNamed(text: string): RawBuilder<boolean> {
  return sql<boolean>`(slug like ${`%${escapeLike(text).toLowerCase()}%`} escape '\\' or ${isCalled(text, 'title')})`
}

function isCalled(text: string, column: 'title' | 'name'): RawBuilder<boolean> {
  return isLike(sql.ref(column), `%${escapeLike(text)}%`)
}

function bySlug(query: ListQuery, after: EntryCursor | undefined): ListQuery {
  const ordered = query.orderBy('slug')
  return after ? ordered.where('slug', '>', after.key) : ordered
}

function byChange(query: ListQuery, after: EntryCursor | undefined): ListQuery {
  const ordered = query.orderBy('updated_at', 'desc').orderBy('id', 'desc')
  return after ? ordered.where(sql<boolean>`(updated_at, id) < (${after.key}, ${after.id})`) : ordered
}
