import { sql } from 'kysely'
import { inScope, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { type CountRange, findLastBeforeIn } from '../../db/settled-rows-store.ts'
import type { SubmissionStatus } from './inbox-filter.ts'

// As in migration 0396.
const DAY = sql<string>`coalesce(local_day, substr(submitted_at, 1, 10))`
const NO_SPAM: readonly SubmissionStatus[] = ['new', 'read', 'archived']

/** Number of a form's submissions on a day in the site's time zone, without spam. */
export interface SubmissionCount {
  day: string
  /** 0 for submissions of deleted forms. */
  formId: number
  isSpam: boolean
  count: number
}

/** Counts the submissions after one ID and up to another; without these bounds, all. */
export async function countSubmissionsByDay(
  db: Db,
  { afterId, upToId }: CountRange,
): Promise<SubmissionCount[]> {
  // Wrapped in an expression: otherwise SQLite would walk the whole form index for its order instead of the few
  // newest rows.
  const form = sql<number>`coalesce(form_id, 0)`
  const isSpam = sql<number>`case when status = 'spam' then 1 else 0 end`
  const rows = await db
    .selectFrom('form_submissions')
    .select([form.as('form_id'), DAY.as('day'), isSpam.as('is_spam'), sql<number>`count(*)`.as('count')])
    .where('id', '>', afterId)
    .$if(upToId !== undefined, (query) => query.where('id', '<=', upToId ?? 0))
    .groupBy([form, DAY, isSpam])
    .execute()
  return rows.map((row) => ({
    day: row.day,
    formId: Number(row.form_id),
    isSpam: Number(row.is_spam) === 1,
    count: Number(row.count),
  }))
}

/**
 * Counts the submissions in a scope since a moment (UTC text). The stored counts can't be used, because they aren't split by place.
 */
export async function countSubmissionsInScope(
  db: Db,
  { since, scope }: { since: string; scope: LeadScope },
): Promise<SubmissionCount[]> {
  const rows = await db
    .selectFrom('form_submissions')
    .select([DAY.as('day'), 'form_id', sql<number>`count(*)`.as('count')])
    // One query per status, so that the place index finds the last leads of a place without reading earlier ones.
    .where('status', 'in', NO_SPAM)
    .where('submitted_at', '>=', since)
    .where(inScope(db, scope))
    .groupBy([DAY, 'form_id'])
    .execute()
  return rows.map(({ day, form_id, count }) => ({
    day,
    formId: form_id ?? 0,
    isSpam: false,
    count: Number(count),
  }))
}

export const findLastCountable = findLastBeforeIn('form_submissions', 'submitted_at')
