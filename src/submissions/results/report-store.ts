import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { type Dimension, EVERY_PLACE } from './result-keys.ts'

/** A query for the sums of a period. `places` undefined means all places. */
export interface SumQuery {
  period: string
  places: readonly string[] | undefined
}

/** Numbers of views, phone taps, leads, and won leads. */
export interface Figures {
  views: number
  taps: number
  leads: number
  won: number
}

/** All counts zero. */
export const NO_FIGURES: Figures = { views: 0, taps: 0, leads: 0, won: 0 }

/** Adds up two sets of counts. */
export function plus(a: Figures, b: Figures): Figures {
  return { views: a.views + b.views, taps: a.taps + b.taps, leads: a.leads + b.leads, won: a.won + b.won }
}

const PENDING: Readonly<Record<Exclude<Dimension, 'all'>, RawBuilder<string>>> = {
  service: sql`service`,
  source: sql`source`,
  page: sql`page`,
}
const MOST_PAGES = 100

/**
 * Sums of a period by service or source, including changes of leads that haven't been added yet, in the same
 * statement.
 */
export function listSums(
  db: Db,
  dimension: 'service' | 'source',
  query: SumQuery,
): Promise<Map<string, Figures>> {
  return readSums(db, {
    key: sql`subject`,
    wanted: sql`period = ${query.period} and dimension = ${dimension} and ${ofPlaces(query)}`,
    pendingKey: PENDING[dimension],
    pending: isPending(query),
  })
}

/** Sums of a period by place. */
export function listSumsOfPlaces(db: Db, query: SumQuery): Promise<Map<string, Figures>> {
  const places = query.places ? ofPlaces(query) : sql`place <> ${EVERY_PLACE}`
  return readSums(db, {
    key: sql`place`,
    wanted: sql`period = ${query.period} and dimension = 'all' and ${places}`,
    pendingKey: sql`place`,
    pending: isPending(query),
  })
}

/** Sums of each day of a month, or each month of a year. */
export function listSumsOverTime(db: Db, query: SumQuery): Promise<Map<string, Figures>> {
  const parts = sql.join(partsOf(query.period))
  return readSums(db, {
    key: sql`period`,
    wanted: sql`period in (${parts}) and dimension = 'all' and ${ofPlaces(query)}`,
    pendingKey: sql`substr(day, 1, ${sql.lit(query.period.length + 3)})`,
    pending: isPending(query),
  })
}

/** The days of a month, or the months of a year. */
export function partsOf(period: string): string[] {
  const [year = 0, month] = period.split('-').map(Number)
  const count = month === undefined ? 12 : new Date(Date.UTC(year, month, 0)).getUTCDate()
  return Array.from({ length: count }, (_, index) => `${period}-${String(index + 1).padStart(2, '0')}`)
}

/** Sums of the 100 pages with the most leads in a period, and of the 100 with the most views. */
export async function listSumsOfTopPages(db: Db, query: SumQuery): Promise<Map<string, Figures>> {
  const wanted = sql`period = ${query.period} and dimension = 'page' and ${ofPlaces(query)}`
  const pending = isPending(query)
  const among = query.places ? sql`` : sql`and subject in (${topPages(query.period, pending)})`
  const amongPending = query.places ? sql`` : sql`and page in (${topPages(query.period, pending)})`
  const sums = sumsOf({
    key: sql`subject`,
    wanted: sql`${wanted} ${among}`,
    pendingKey: PENDING.page,
    pending: sql`${pending} ${amongPending}`,
  })
  const top = (count: 'leads' | 'views') =>
    sql`select * from (select * from sums order by ${sql.ref(count)} desc, key limit ${sql.lit(MOST_PAGES)}) as top`
  return figuresByKey(db, sql`with sums as (${sums}) ${top('leads')} union ${top('views')}`)
}

// Found by an index. A change that hasn't been added yet may push a page out of the first hundred.
function topPages(period: string, pending: RawBuilder<unknown>): RawBuilder<unknown> {
  const ofPages = sql`period = ${period} and dimension = 'page' and place = '#'`
  return sql`select subject from (select subject from traffic_counts where ${ofPages}
      order by views desc limit ${sql.lit(MOST_PAGES)}) as viewed
    union select subject from (select subject from lead_counts where ${ofPages}
      order by leads desc limit (select ${sql.lit(MOST_PAGES)} + count(distinct page) from lead_changes where ${pending})) as led
    union select page from lead_changes where ${pending}`
}

interface Reading {
  /** Columns that the pages are ranked by. */
  key: RawBuilder<unknown>
  wanted: RawBuilder<unknown>
  /** The same for changes that haven't been added yet. */
  pendingKey: RawBuilder<unknown>
  pending: RawBuilder<unknown>
}

function readSums(db: Db, reading: Reading): Promise<Map<string, Figures>> {
  return figuresByKey(db, sumsOf(reading))
}

function sumsOf({ key, wanted, pendingKey, pending }: Reading): RawBuilder<unknown> {
  return sql`select key, sum(views) as views, sum(taps) as taps, sum(leads) as leads, sum(won) as won from (
    select ${key} as key, views, taps, 0 as leads, 0 as won from traffic_counts where ${wanted}
    union all select ${key}, 0, 0, leads, won from lead_counts where ${wanted}
    union all select ${pendingKey}, 0, 0, leads, won from lead_changes where ${pending}
  ) as counted group by key`
}

async function figuresByKey(db: Db, query: RawBuilder<unknown>): Promise<Map<string, Figures>> {
  const { rows } = await sql<Figures & { key: string }>`${query}`.execute(db)
  return new Map(rows.map((row) => [row.key, figuresOf(row)]))
}

function figuresOf({ views, taps, leads, won }: Figures): Figures {
  return { views: Number(views), taps: Number(taps), leads: Number(leads), won: Number(won) }
}

function ofPlaces({ places }: Pick<SumQuery, 'places'>): RawBuilder<unknown> {
  return places ? isOneOf(places) : sql`place = ${EVERY_PLACE}`
}

function isPending({ period, places }: SumQuery): RawBuilder<unknown> {
  const isOfPeriod = sql`substr(day, 1, ${sql.lit(period.length)}) = ${period}`
  return places ? sql`${isOfPeriod} and ${isOneOf(places)}` : isOfPeriod
}

function isOneOf(places: readonly string[]): RawBuilder<unknown> {
  return places.length === 0 ? sql`1 = 0` : sql`place in (${sql.join(places)})`
}

/** Sums of these services in these places and a period, by service and place. */
export async function listServiceSums(
  db: Db,
  { period, services, places }: { period: string; services: readonly string[]; places: readonly string[] },
): Promise<(Figures & { service: string; place: string })[]> {
  const subjects = sql.join(['', ...services])
  const wanted = sql`period = ${period} and dimension = 'service' and ${isOneOf(places)} and subject in (${subjects})`
  const { rows } = await sql<
    Figures & { service: string; place: string }
  >`select service, place, sum(views) as views,
      sum(taps) as taps, sum(leads) as leads, sum(won) as won from (
    select subject as service, place, views, taps, 0 as leads, 0 as won from traffic_counts where ${wanted}
    union all select subject, place, 0, 0, leads, won from lead_counts where ${wanted}
    union all select service, place, 0, 0, leads, won from lead_changes
      where ${isPending({ period, places })} and service in (${subjects})
  ) as sums group by service, place`.execute(db)
  return rows.map(({ service, place, ...figures }) => ({ service, place, ...figuresOf(figures) }))
}

/** The places with any count in a month or year, as keys. */
export async function listCountedPlaces(db: Db, period: string): Promise<string[]> {
  const { rows } = await sql<{ place: string }>`select place from traffic_counts
      where period = ${period} and dimension = 'all'
    union select place from lead_counts where period = ${period} and dimension = 'all'
    union select place from lead_changes where substr(day, 1, ${sql.lit(period.length)}) = ${period}`.execute(
    db,
  )
  return rows.map(({ place }) => place)
}

/** The first and last month with any count; undefined if there is none. */
export async function findCountedMonths(db: Db): Promise<{ first: string; last: string } | undefined> {
  const { rows } = await sql<{
    first: string | null
    last: string | null
  }>`select min(month) as first, max(month) as last
    from (
      select min(period) as month from traffic_counts where dimension = 'all' and place = '#' and length(period) = 7
      union all select max(period) from traffic_counts where dimension = 'all' and place = '#' and length(period) = 7
      union all select min(period) from lead_counts where dimension = 'all' and place = '#' and length(period) = 7
      union all select max(period) from lead_counts where dimension = 'all' and place = '#' and length(period) = 7
      union all select min(substr(day, 1, 7)) from lead_changes
      union all select max(substr(day, 1, 7)) from lead_changes
    ) as months`.execute(db)
  const { first, last } = rows[0] ?? {}
  return first && last ? { first, last } : undefined
}
