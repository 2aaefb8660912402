import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { Dimension } from './result-keys.ts'

/** A query for the sums of a period; `places` undefined means all places. */
export interface SumQuery {
  period: string
  dimension: Dimension
  places?: readonly string[] | undefined
  /** Only these subjects. */
  subjects?: readonly string[] | undefined
}

/** A number of views, phone taps, leads, and won leads. */
export interface Figures {
  views: number
  taps: number
  leads: number
  won: number
}

/** Nothing counted. */
export const NO_FIGURES: Figures = { views: 0, taps: 0, leads: 0, won: 0 }

type By = 'subject' | 'place' | 'period'

/** Sums of a period by subject or place. What was not added up yet is counted along, in the same statement. */
export async function listSums(
  db: Db,
  by: Exclude<By, 'period'>,
  query: SumQuery,
  { most }: { most?: keyof Figures } = {},
): Promise<Map<string, Figures>> {
  const wanted = sql`period = ${query.period} and dimension = ${query.dimension} and ${ofPlaces(query)}`
  return readSums(db, { by, wanted, query, most })
}

/** Sums of the days of a month, or of the months of a year, as a whole. */
export async function listSumsOverTime(
  db: Db,
  query: Omit<SumQuery, 'dimension'>,
): Promise<Map<string, Figures>> {
  const length = query.period.length + 3
  const wanted = sql`period > ${query.period} and period < ${`${query.period}.`} and dimension = 'all'
    and length(period) = ${sql.lit(length)} and ${ofPlaces(query)}`
  return readSums(db, {
    by: 'period',
    wanted,
    query: { ...query, dimension: 'all' },
    most: undefined,
    length,
  })
}

interface Reading {
  by: By
  wanted: RawBuilder<unknown>
  query: SumQuery
  most: keyof Figures | undefined
  /** Length of the periods. */
  length?: number
}

const PENDING: Readonly<Record<Dimension, RawBuilder<string>>> = {
  all: sql`''`,
  service: sql`service`,
  source: sql`source`,
  page: sql`page`,
}
const MOST_ROWS = 100

async function readSums(
  db: Db,
  { by, wanted, query, most, length = 0 }: Reading,
): Promise<Map<string, Figures>> {
  const key = sql.ref(by)
  const end = most ? sql`order by ${sql.ref(most)} desc, key limit ${sql.lit(MOST_ROWS)}` : sql``
  const subjects = query.subjects ? sql`subject in (${sql.join(query.subjects)})` : sql`1 = 1`
  const { rows } = await sql<Figures & { key: string }>`select key, sum(views) as views, sum(taps) as taps,
      sum(leads) as leads, sum(won) as won from (
    select ${key} as key, subject, views, taps, 0 as leads, 0 as won from traffic_counts where ${wanted}
    union all select ${key}, subject, 0, 0, leads, won from lead_counts where ${wanted}
    union all select ${key}, subject, 0, 0, leads, won from (
      select substr(day, 1, ${sql.lit(length || query.period.length)}) as period, ${PENDING[query.dimension]} as subject,
        place, leads, won from lead_changes where ${ofPlaces(query)} and substr(day, 1, ${sql.lit(query.period.length)}) = ${query.period}
    ) as pending
  ) as sums where ${subjects} group by key ${end}`.execute(db)
  return new Map(rows.map((row) => [row.key, figuresOf(row)]))
}

function figuresOf({ views, taps, leads, won }: Figures): Figures {
  return { views: Number(views), taps: Number(taps), leads: Number(leads), won: Number(won) }
}

function ofPlaces({ places }: { places?: readonly string[] | undefined }): RawBuilder<unknown> {
  if (!places) return sql`1 = 1`
  return places.length === 0 ? sql`1 = 0` : sql`place in (${sql.join(places)})`
}

/** The sums of these services in a period, by service and place. */
export async function listServiceSums(
  db: Db,
  { period, services, places }: { period: string; services: readonly string[]; places: SumQuery['places'] },
): Promise<(Figures & { service: string; place: string })[]> {
  const subjects = sql.join(['', ...services])
  const wanted = sql`period = ${period} and dimension = 'service' and subject in (${subjects}) and ${ofPlaces({ places })}`
  const { rows } = await sql<
    Figures & { service: string; place: string }
  >`select service, place, sum(views) as views,
      sum(taps) as taps, sum(leads) as leads, sum(won) as won from (
    select subject as service, place, views, taps, 0 as leads, 0 as won from traffic_counts where ${wanted}
    union all select subject, place, 0, 0, leads, won from lead_counts where ${wanted}
    union all select service, place, 0, 0, leads, won from lead_changes
      where substr(day, 1, ${sql.lit(period.length)}) = ${period} and service in (${subjects}) and ${ofPlaces({ places })}
  ) as sums group by service, place`.execute(db)
  return rows.map(({ service, place, ...figures }) => ({ service, place, ...figuresOf(figures) }))
}

/** The places of which anything is counted in a period, as keys. */
export async function listCountedPlaces(db: Db, period: string): Promise<string[]> {
  const { rows } = await sql<{ place: string }>`select place from traffic_counts
      where period = ${period} and dimension = 'service'
    union select place from lead_counts where period = ${period} and dimension = 'service'
    union select place from lead_changes where substr(day, 1, ${sql.lit(period.length)}) = ${period}`.execute(
    db,
  )
  return rows.map(({ place }) => place)
}

/** The first and last month of which anything is counted; undefined when nothing is. */
export async function findCountedMonths(db: Db): Promise<{ first: string; last: string } | undefined> {
  const { rows } = await sql<{
    first: string | null
    last: string | null
  }>`select min(month) as first, max(month) as last
    from (
      select min(period) as month from traffic_counts where dimension = 'all' and length(period) = 7
      union all select max(period) from traffic_counts where dimension = 'all' and length(period) = 7
      union all select min(period) from lead_counts where dimension = 'all' and length(period) = 7
      union all select max(period) from lead_counts where dimension = 'all' and length(period) = 7
      union all select min(substr(day, 1, 7)) from lead_changes
      union all select max(substr(day, 1, 7)) from lead_changes
    ) as months`.execute(db)
  const { first, last } = rows[0] ?? {}
  return first && last ? { first, last } : undefined
}
