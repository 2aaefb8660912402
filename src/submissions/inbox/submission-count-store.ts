import { sql } from 'kysely'
import { inScope, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { findLastBeforeIn } from '../../db/settled-rows-store.ts'
import type { SubmissionStatus } from './inbox-filter.ts'

const NO_SPAM: readonly SubmissionStatus[] = ['new', 'read', 'archived']

/** Number of submissions of a form on a day (UTC), without spam. */
export interface SubmissionCount {
  day: string
  /** 0 for those whose form is gone. */
  formId: number
  isSpam: boolean
  count: number
}

/** Counts the submissions after one and up to another, without a bound all. */
export async function countSubmissionsByDay(
  db: Db,
  { afterId, upToId }: { afterId: number; upToId?: number | undefined },
): Promise<SubmissionCount[]> {
  const day = sql<string>`substr(submitted_at, 1, 10)`
  // As an expression: SQLite would walk the whole index of the forms for its order, rather than the few last rows.
  const form = sql<number>`coalesce(form_id, 0)`
  const isSpam = sql<number>`case when status = 'spam' then 1 else 0 end`
  const rows = await db
    .selectFrom('form_submissions')
    .select([form.as('form_id'), day.as('day'), isSpam.as('is_spam'), sql<number>`count(*)`.as('count')])
    .where('id', '>', afterId)
    .$if(upToId !== undefined, (query) => query.where('id', '<=', upToId ?? 0))
    .groupBy([form, day, isSpam])
    .execute()
  return rows.map((row) => ({
    day: row.day,
    formId: Number(row.form_id),
    isSpam: Number(row.is_spam) === 1,
    count: Number(row.count),
  }))
}

/** Counts the submissions in a scope from a day on: what is counted for everyone does not say by place. */
export async function countSubmissionsInScope(
  db: Db,
  { fromDay, scope }: { fromDay: string; scope: LeadScope },
): Promise<SubmissionCount[]> {
  const day = sql<string>`substr(submitted_at, 1, 10)`
  const rows = await db
    .selectFrom('form_submissions')
    .select([day.as('day'), 'form_id', sql<number>`count(*)`.as('count')])
    // Each status by itself: then the index of places gives the last leads of a place without those before.
    .where('status', 'in', NO_SPAM)
    .where('submitted_at', '>=', fromDay)
    .where(inScope(db, scope))
    .groupBy([day, 'form_id'])
    .execute()
  return rows.map(({ day, form_id, count }) => ({
    day,
    formId: form_id ?? 0,
    isSpam: false,
    count: Number(count),
  }))
}

export const findLastCountable = findLastBeforeIn('form_submissions', 'submitted_at')
