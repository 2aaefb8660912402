import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { inScope, isFewPlaces, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db, Schema } from '../../db/schema.ts'
import { FIRST_STAGE } from '../stages/stage-settings.ts'
import type { InboxCursor, InboxFilter, SubmissionStatus } from './inbox-filter.ts'

/** Position of a submission in the inbox. */
export interface InboxPlace {
  id: number
  submittedAt: string
}

/** A filter without its search. */
export type Filter = Omit<InboxFilter, 'search' | 'location'>

/**
 * Lists the positions of submissions from the cursor on, in its direction. Uses one subquery per status, each on an
 * index, so that a page costs the same at any depth and for any number of submissions.
 */
export async function listInboxPlaces(
  db: Db,
  { statuses, ...filter }: Filter,
  { cursor, limit }: { cursor: InboxCursor | undefined; limit: number },
): Promise<InboxPlace[]> {
  const order = cursor?.direction === 'newer' ? 'asc' : 'desc'
  const [first, ...others] = statuses.map((status) =>
    db.selectFrom(placesOf(db, { ...filter, status }, { cursor, limit }).as('part')).selectAll(),
  )
  if (!first) return []
  const all = others.reduce((sum, part) => sum.unionAll(part), first)
  const rows = await db
    .selectFrom(all.as('place'))
    .selectAll()
    .orderBy('submitted_at', order)
    .orderBy('id', order)
    .limit(limit)
    .execute()
  return rows.map((row) => ({ id: row.id, submittedAt: row.submitted_at }))
}

/** Selects the positions of leads with one status. */
export function placesOf(
  db: Db,
  { status, ...filter }: Omit<Filter, 'statuses'> & { status: SubmissionStatus },
  { cursor, limit }: { cursor: InboxCursor | undefined; limit: number },
) {
  const order = cursor?.direction === 'newer' ? 'asc' : 'desc'
  // Wrapped in an expression to keep SQLite from walking the sort index through the leads of all other places.
  const sentAt = isFewPlaces(filter.scope)
    ? sql<string>`(submitted_at || '')`
    : sql.ref<string>('submitted_at')
  let query = narrowed(
    db,
    db.selectFrom('form_submissions').select(['id', 'submitted_at']).where('status', '=', status),
    filter,
  )
  if (cursor !== undefined) {
    const { submittedAt, id } = cursor
    const beyond = order === 'asc' ? sql`>` : sql`<`
    query = query.where(sql<boolean>`(${sentAt}, id) ${beyond} (${submittedAt}, ${id})`)
  }
  return query.orderBy(sentAt, order).orderBy('id', order).limit(limit)
}

/** Selects the first of these submissions in a direction that match the filter; undefined if none can. */
export function selectFirstShown(
  db: Db,
  filter: Filter,
  { ids, direction, limit }: { ids: readonly number[]; direction: InboxCursor['direction']; limit: number },
): RawBuilder<{ id: number }> | undefined {
  if (ids.length === 0 || filter.statuses.length === 0) return undefined
  const shown = selectShownAmong(db, filter, { ids: sql`(${sql.join(ids)})`, most: ids.length })
  const first = shown
    .clearSelect()
    .select('id')
    .orderBy('id', direction === 'newer' ? 'asc' : 'desc')
  return sql<{ id: number }>`${first.limit(limit)}`
}

/** Counts the matching leads up to `most`, and returns the highest ID and the time of the oldest. */
export async function countShown(
  db: Db,
  filter: Filter,
  { most }: { most: number },
): Promise<{ count: number; upTo: number; since: string | undefined }> {
  const { count, up_to, since } = await db
    .selectFrom(selectShown(db, filter).limit(most).as('shown'))
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('id').as('up_to')])
    .select(({ fn }) => fn.min('submitted_at').as('since'))
    .executeTakeFirstOrThrow()
  return { count: Number(count), upTo: Number(up_to ?? 0), since: since ?? undefined }
}

// Inlined: SQLite uses a partial index only for values it knows when it prepares the statement.
const IS_IN_WORK = sql<boolean>`stage <> 'new'`
const IS_ASSIGNED = sql<boolean>`assignee_id is not null`

/** Selects the leads that match the filter. */
function selectShown(db: Db, { statuses, ...filter }: Filter) {
  const leads = db.selectFrom('form_submissions').select(['id', 'submitted_at'])
  return narrowed(db, leads.where('status', 'in', statuses), filter)
}

/** The columns that a filter reads. */
const FILTERED = [
  'id',
  'status',
  'submitted_at',
  'form_id',
  'location_id',
  'source',
  'stage',
  'assignee_id',
] as const

/** Selects those of `ids`, a list or subquery of at most `most`, that match the filter. */
export function selectShownAmong(
  db: Db,
  { statuses, ...filter }: Filter,
  { ids, most }: { ids: RawBuilder<unknown>; most: number },
) {
  // The limit keeps both engines from reading all leads of the filter instead of these by ID.
  const among = db
    .selectFrom('form_submissions')
    .select(FILTERED)
    .where(sql<boolean>`id in ${ids}`)
    .limit(most)
  const leads = db.selectFrom(among.as('form_submissions')).select(['id', 'submitted_at'])
  return narrowed(db, leads.where('status', 'in', statuses), filter)
}

function narrowed<Row>(
  db: Db,
  rows: SelectQueryBuilder<Pick<Schema, 'form_submissions'>, 'form_submissions', Row>,
  { scope, formId, from, until, source, stages, assigneeId }: Omit<Filter, 'statuses'>,
) {
  let query = rows.where(inScope(db, scope))
  if (formId !== undefined) query = query.where('form_id', '=', formId)
  if (from !== undefined) query = query.where('submitted_at', '>=', from)
  if (until !== undefined) query = query.where('submitted_at', '<', until)
  if (source !== undefined) query = query.where('source', '=', source)
  if (stages !== undefined) query = query.where('stage', 'in', stages)
  if (stages !== undefined && !stages.includes(FIRST_STAGE)) query = query.where(IS_IN_WORK)
  if (assigneeId !== undefined) query = query.where('assignee_id', '=', assigneeId).where(IS_ASSIGNED)
  return query
}

/**
 * Returns the position of that submission. If the user may not see it, its time is that of the next newer one they
 * may see, so that the list doesn't reveal when other leads arrived.
 */
export async function findPlaceNear(db: Db, id: number, scope: LeadScope): Promise<InboxPlace | undefined> {
  const row = await db
    .selectFrom('form_submissions')
    .select('submitted_at')
    .where('id', '>=', id)
    .where(inScope(db, scope))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && { id, submittedAt: row.submitted_at }
}

/** Changes the status of the submissions that have one of `from`; returns the IDs of those changed. */
export async function updateStatus(
  db: Db,
  ids: readonly number[],
  { from, to, scope }: { from: readonly SubmissionStatus[]; to: SubmissionStatus; scope: LeadScope },
): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .updateTable('form_submissions')
    .set({ status: to })
    .where('id', 'in', ids)
    .where('status', 'in', from)
    .where(inScope(db, scope))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}
