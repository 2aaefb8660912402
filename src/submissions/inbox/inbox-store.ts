import type { Db } from '../../db/schema.ts'
import type { InboxCursor, InboxFilter, SubmissionStatus } from './inbox-filter.ts'

/** Where a submission stands in the inbox. */
export interface InboxPlace {
  id: number
  submittedAt: string
}

type Filter = Omit<InboxFilter, 'search' | 'location'>

/**
 * The places of submissions from the cursor on, in its direction. One query for each state, each along an index, so
 * that a page costs the same at any depth and however many there are.
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

function placesOf(
  db: Db,
  { status, formId, from, until, source }: Omit<Filter, 'statuses'> & { status: SubmissionStatus },
  { cursor, limit }: { cursor: InboxCursor | undefined; limit: number },
) {
  const order = cursor?.direction === 'newer' ? 'asc' : 'desc'
  let query = db.selectFrom('form_submissions').select(['id', 'submitted_at']).where('status', '=', status)
  if (formId !== undefined) query = query.where('form_id', '=', formId)
  if (from !== undefined) query = query.where('submitted_at', '>=', from)
  if (until !== undefined) query = query.where('submitted_at', '<', until)
  if (source !== undefined) query = query.where('source', '=', source)
  if (cursor !== undefined) {
    const { submittedAt, id } = cursor
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('submitted_at', 'id'), order === 'asc' ? '>' : '<', tuple(submittedAt, id)),
    )
  }
  return query.orderBy('submitted_at', order).orderBy('id', order).limit(limit)
}

/** Those of these submissions that the filter shows. */
export async function keepShown(
  db: Db,
  ids: readonly number[],
  { statuses, formId, from, until, source }: Filter,
): Promise<InboxPlace[]> {
  if (ids.length === 0 || statuses.length === 0) return []
  let query = db
    .selectFrom('form_submissions')
    .select(['id', 'submitted_at'])
    .where('id', 'in', ids)
    .where('status', 'in', statuses)
  if (formId !== undefined) query = query.where('form_id', '=', formId)
  if (from !== undefined) query = query.where('submitted_at', '>=', from)
  if (until !== undefined) query = query.where('submitted_at', '<', until)
  if (source !== undefined) query = query.where('source', '=', source)
  return (await query.execute()).map((row) => ({ id: row.id, submittedAt: row.submitted_at }))
}

/** How many have this state, counted no further than `most`. */
export async function countByStatus(
  db: Db,
  statuses: readonly SubmissionStatus[],
  { formId, most }: { formId?: number | undefined; most: number },
): Promise<Map<SubmissionStatus, number>> {
  const one = (status: SubmissionStatus) => {
    const query = db.selectFrom('form_submissions').select('id').where('status', '=', status).limit(most)
    return formId === undefined ? query : query.where('form_id', '=', formId)
  }
  const counts = await db
    .selectNoFrom(({ selectFrom }) =>
      statuses.map((status) =>
        selectFrom(one(status).as('counted'))
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .as(status),
      ),
    )
    .executeTakeFirstOrThrow()
  const found = counts as Record<SubmissionStatus, number>
  return new Map(statuses.map((status) => [status, Number(found[status])]))
}

/** How many nobody has read yet, counted no further than `most`. */
export async function countUnread(db: Db, { most }: { most: number }): Promise<number> {
  return (await countByStatus(db, ['new'], { most })).get('new') ?? 0
}

/** A form as the inbox lists it, with its unread submissions counted no further than `most`. */
export interface InboxForm {
  id: number
  slug: string
  name: string
  unread: number
}

export async function listInboxForms(db: Db, { most }: { most: number }): Promise<InboxForm[]> {
  const rows = await db
    .selectFrom('forms')
    .select(['id', 'slug', 'name'])
    .select(({ selectFrom }) =>
      selectFrom(
        selectFrom('form_submissions')
          .select('form_submissions.id')
          .whereRef('form_submissions.form_id', '=', 'forms.id')
          .where('form_submissions.status', '=', 'new')
          .limit(most)
          .as('counted'),
      )
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('unread'),
    )
    .orderBy('name')
    .execute()
  return rows.map((row) => ({ ...row, unread: Number(row.unread) }))
}

/** Changes the state of those that are in one of `from`; returns how many. */
export async function updateStatus(
  db: Db,
  ids: readonly number[],
  { from, to }: { from: readonly SubmissionStatus[]; to: SubmissionStatus },
): Promise<number> {
  if (ids.length === 0) return 0
  const result = await db
    .updateTable('form_submissions')
    .set({ status: to })
    .where('id', 'in', ids)
    .where('status', 'in', from)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}
