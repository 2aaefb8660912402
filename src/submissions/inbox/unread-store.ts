import { sql } from 'kysely'
import { inScope, isFewPlaces, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import type { SubmissionStatus } from './inbox-filter.ts'

/** Counts the unread leads of all forms, and the spam of one form or all, up to `most` each; in one query. */
export async function countUnreadAndSpam(
  db: Db,
  { formId, ...counted }: { scope: LeadScope; formId?: number | undefined; most: number },
): Promise<Record<'unread' | 'spam', number>> {
  const { unread, spam } = await db
    .selectNoFrom([
      countOf(db, { status: 'new', ...counted }).as('unread'),
      countOf(db, { status: 'spam', formId, ...counted }).as('spam'),
    ])
    .executeTakeFirstOrThrow()
  return { unread: Number(unread), spam: Number(spam) }
}

/** Counts the unread leads, up to `most`. */
export async function countUnread(db: Db, counted: { scope: LeadScope; most: number }): Promise<number> {
  const { unread } = await db
    .selectNoFrom(countOf(db, { status: 'new', ...counted }).as('unread'))
    .executeTakeFirstOrThrow()
  return Number(unread)
}

function countOf(
  db: Db,
  {
    status,
    scope,
    formId,
    most,
  }: { status: SubmissionStatus; scope: LeadScope; formId?: number | undefined; most: number },
) {
  const leads = db
    .selectFrom('form_submissions')
    .select('id')
    .where('status', '=', status)
    .where(inScope(db, scope))
    .$if(formId !== undefined, (query) => query.where('form_id', '=', formId as number))
    .limit(most)
  return db.selectFrom(leads.as('counted')).select(({ fn }) => fn.countAll<number>().as('count'))
}

/** A form in the inbox's list, with its unread submissions counted up to `most`. */
export interface InboxForm {
  id: number
  slug: string
  name: string
  unread: number
}

/** Lists the forms whose leads the user may see. */
export async function listInboxForms(
  db: Db,
  { scope, most }: { scope: LeadScope; most: number },
): Promise<InboxForm[]> {
  const rows = await db
    .selectFrom('forms')
    .select(['id', 'slug', 'name'])
    .$if(scope.forms !== null, (query) => query.where('id', 'in', [0, ...(scope.forms ?? [])]))
    .select(({ selectFrom }) =>
      selectFrom(
        selectFrom('form_submissions')
          .select('form_submissions.id')
          .where(
            isFewPlaces(scope) ? sql`form_submissions.form_id + 0` : sql.ref('form_submissions.form_id'),
            '=',
            sql.ref('forms.id'),
          )
          .where('form_submissions.status', '=', 'new')
          .where(inScope(db, scope))
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
