import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import { findLocale } from '../../db/locale-store.ts'
import type { Db, Schema } from '../../db/schema.ts'
import type { CountRange, FindLastBefore } from '../../db/settled-rows-store.ts'
import type { CountSource } from '../../db/tables/count-tables.ts'
import {
  countSubmissionsByDay,
  countSubmissionsInScope,
  findLastCountable,
  type SubmissionCount,
} from '../../submissions/inbox/submission-count-store.ts'
import { countLeadsByDay } from '../../submissions/results/source-sums-store.ts'
import {
  type AttemptCount,
  countAttemptsByDay,
  findLastCountableAttempt,
} from '../../webhooks/deliveries/attempt-count-store.ts'
import {
  addDailyCounts,
  type DailyCount,
  findCursors,
  moveCursor,
  selectCursor,
} from './daily-count-store.ts'

// On both engines a row may become visible after one with a higher ID, so newer rows than this are not counted yet.
const DAY_MS = 24 * 3_600_000
const SETTLED_MS = 60_000
// Counting these takes 5 ms, for which the event loop serves nothing else.
const BATCH = 2_000

/** Subject of leads that were deleted, in a scope. */
export const DELETED_LEADS = 'deleted'

const SOURCES: Record<
  CountSource,
  {
    findLast: FindLastBefore
    count(db: Db, range: CountRange, timeZone: string): Promise<DailyCount[]>
  }
> = {
  submissions: {
    findLast: findLastCountable,
    count: async (db, range) => (await countSubmissionsByDay(db, range)).map(ofSubmissions),
  },
  attempts: {
    findLast: findLastCountableAttempt,
    count: async (db, range, timeZone) => (await countAttemptsByDay(db, range, timeZone)).flatMap(ofAttempts),
  },
}

/** Counts the activity since the last time, in short steps. Several processes may do so at once. */
export async function countActivity(
  db: Kysely<Schema>,
  { now, signal }: { now: Date; signal?: AbortSignal },
): Promise<void> {
  const { timeZone } = await findLocale(db)
  for (const source of ['submissions', 'attempts'] as const) {
    while (!signal?.aborted && (await countBatch(db, source, { now, timeZone }))) await nextTurn()
  }
}

/** Activity after the cursors, not counted yet, by days in the site's time zone. */
export async function countTheRest(db: Db, timeZone: string): Promise<DailyCount[]> {
  const rest = []
  for (const source of ['submissions', 'attempts'] as const)
    rest.push(...(await SOURCES[source].count(db, { afterId: selectCursor(source) }, timeZone)))
  return rest
}

function countBatch(
  db: Kysely<Schema>,
  source: CountSource,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<boolean> {
  const { findLast, count } = SOURCES[source]
  const before = new Date(now.getTime() - SETTLED_MS)
  return db.transaction().execute(async (trx) => {
    const from = (await findCursors(trx))[source]
    const to = await findLast(trx, { afterId: from, before, limit: BATCH })
    if (to === undefined || !(await moveCursor(trx, source, { from, to }))) return false
    await addDailyCounts(trx, mergeCounts(await count(trx, { afterId: from, upToId: to }, timeZone)))
    return true
  })
}

/**
 * Activity on these days, the first of which begins at a moment (UTC text), of the leads in a limited scope. Deleted leads
 * have no form anymore; their sums aren't split by form, so an account limited to forms has none.
 */
export async function countInScope(
  db: Db,
  { days, since, scope }: { days: readonly string[]; since: string; scope: LeadScope },
): Promise<DailyCount[]> {
  const { places, forms } = scope
  // A lead keeps the day of the time zone in which it was counted, which the site may have changed since.
  const wideSince = new Date(Date.parse(since) - 2 * DAY_MS).toISOString()
  // First, so that a lead that arrives now isn't missing among the stored ones.
  const left = places && forms === null ? await countLeadsByDay(db, places, days) : new Map()
  const counted = await countSubmissionsInScope(db, { since: wideSince, scope })
  const stored = counted.filter(({ day }) => days.includes(day)).map(ofSubmissions)
  for (const { day, count } of stored) left.set(day, (left.get(day) ?? 0) - count)
  const deleted = [...left].filter(([, count]) => count > 0)
  return [
    ...stored,
    ...deleted.map(
      ([day, count]) => ({ day, series: 'submissions', subject: DELETED_LEADS, count }) as const,
    ),
  ]
}

/** One count for each day, series and subject. */
export function mergeCounts(counts: readonly DailyCount[]): DailyCount[] {
  const merged = new Map<string, DailyCount>()
  for (const one of counts) {
    const key = `${one.day} ${one.series} ${one.subject}`
    merged.set(key, { ...one, count: one.count + (merged.get(key)?.count ?? 0) })
  }
  return [...merged.values()]
}

function ofSubmissions({ day, formId, isSpam, count }: SubmissionCount): DailyCount {
  return { day, series: isSpam ? 'spam' : 'submissions', subject: String(formId), count }
}

function ofAttempts({ day, outcome, withinMs, count }: AttemptCount): DailyCount[] {
  return [
    { day, series: 'attempts', subject: outcome, count },
    { day, series: 'duration', subject: String(withinMs), count },
  ]
}
