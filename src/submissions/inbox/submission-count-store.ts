import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

/** How many submissions of a form came on a day (UTC), spam apart. */
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

/** The last of the next submissions after one, at most `limit`, that came before a moment; undefined when there is none. */
export async function findLastCountable(
  db: Db,
  { afterId, before, limit }: { afterId: number; before: Date; limit: number },
): Promise<number | undefined> {
  const next = db
    .selectFrom('form_submissions')
    .select(['id', 'submitted_at'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
  const row = await db
    .selectFrom(next.as('next'))
    .select(({ fn }) => fn.max('id').as('id'))
    .where('submitted_at', '<', before.toISOString())
    .executeTakeFirst()
  return row?.id === null || row?.id === undefined ? undefined : Number(row.id)
}
