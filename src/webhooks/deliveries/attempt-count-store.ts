import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { type CountRange, findLastBeforeIn } from '../../db/settled-rows-store.ts'
import { localDayOf } from '../../lib/locale/calendar-day.ts'

/** Upper bounds of durations in ms; the last is the default deadline of an attempt, and takes the longer ones too. */
export const DURATION_BOUNDS = [50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000] as const

/** Number of attempts on a day in the site's time zone with one outcome, within one of the bounds. */
export interface AttemptCount {
  day: string
  outcome: 'delivered' | 'failed'
  /** One of `DURATION_BOUNDS`. */
  withinMs: number
  count: number
}

/** Counts the attempts after one ID and up to another; without bounds, all of them. A day may come several times. */
export async function countAttemptsByDay(
  db: Db,
  { afterId, upToId }: CountRange,
  timeZone: string,
): Promise<AttemptCount[]> {
  // Databases don't know time zones, whose days begin with a minute.
  const minute = sql<string>`substr(started_at, 1, 16)`
  const outcome = sql<
    'delivered' | 'failed'
  >`case when failure_kind is null then 'delivered' else 'failed' end`
  const bound = boundOf()
  const rows = await db
    .selectFrom('delivery_attempts')
    .select([
      minute.as('minute'),
      outcome.as('outcome'),
      bound.as('within'),
      sql<number>`count(*)`.as('count'),
    ])
    .where('id', '>', afterId)
    .$if(upToId !== undefined, (query) => query.where('id', '<=', upToId ?? 0))
    .groupBy([minute, outcome, bound])
    .execute()
  return rows.map(({ minute, outcome, within, count }) => ({
    day: localDayOf(new Date(`${minute}Z`), timeZone),
    outcome,
    withinMs: Number(within),
    count: Number(count),
  }))
}

export const findLastCountableAttempt = findLastBeforeIn('delivery_attempts', 'started_at')

function boundOf() {
  const last = DURATION_BOUNDS.at(-1) ?? 0
  const cases = DURATION_BOUNDS.slice(0, -1).map(
    (bound) => sql`when duration_ms <= ${sql.lit(bound)} then ${sql.lit(bound)}`,
  )
  return sql<number>`case ${sql.join(cases, sql` `)} else ${sql.lit(last)} end`
}
