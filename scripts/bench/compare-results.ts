import { deepStrictEqual } from 'node:assert/strict'
import SqliteDatabase from 'better-sqlite3'
import { connectSqlite } from '../../src/db/connect.ts'
import type { Db } from '../../src/db/schema.ts'
import { loadReport, type ReportRow } from '../../src/submissions/results/load-report.ts'
import { keyOfId } from '../../src/submissions/results/result-keys.ts'
import type { Measurement } from './report.ts'

/** The report lists this many pages with the most leads, and as many with the most views. */
const MOST_PAGES = 100

const LISTS = ['services', 'places', 'sources', 'pages'] as const

const FIGURES = [0, 1, 2, 3] as const
/** Views and leads. */
const TOP = [0, 2] as const

/** A lead or a row of `visits`, with what it counts under in the order of `LISTS`. */
type Happening = [day: string, service: string, place: string, source: string, page: string, ...Figures]
type Figures = [views: number, taps: number, leads: number, won: number]
type Counts = Map<string, Figures>

/** A report and its plain count. */
interface Asked {
  period: string
  places: readonly number[] | null
  /** Their keys. */
  keys: ReadonlySet<string> | null
  /** In the order of `LISTS`. */
  counts: Counts[]
  /** By day of a month, or by month of a year. */
  overTime: Counts
}

/**
 * Compares each row of this month's and this year's reports with a count, one by one, of all leads and visits, for a
 * user without limits and for one limited to these places. Fails at the first difference.
 */
export async function compareResults(path: string, places: readonly number[]): Promise<Measurement> {
  const month = new Date().toISOString().slice(0, 7)
  const asked = [month, month.slice(0, 4)].flatMap((period) => [ask(period, null), ask(period, places)])
  for (const happening of happeningsSince(path, month.slice(0, 4)))
    for (const one of asked) if (concerns(happening, one)) count(happening, one)
  const db = connectSqlite(path)
  let value = 0
  for (const one of asked) value += await compareReport(db, one)
  await db.destroy()
  return { name: 'rows of reports that equal a plain count', value, unit: 'of all' }
}

async function compareReport(db: Db, { period, places, counts, overTime }: Asked): Promise<number> {
  const report = await loadReport(db, { period, scope: { places } })
  const sizes = LISTS.map((list, index) => {
    const counted: Counts = counts[index] ?? new Map()
    const shown = new Map(report[list].map(toCount))
    if (list === 'pages')
      for (const at of TOP) deepStrictEqual(topOf(shown, at), topOf(counted, at), `top pages of ${period}`)
    const subjects = [...(list === 'pages' ? shown : counted).keys()]
    const expected = new Map(subjects.map((subject) => [subject, counted.get(subject)]))
    deepStrictEqual(shown, expected, `${list} of ${period}`)
    return shown.size
  })
  const counted = new Map(report.overTime.map(toCount).filter(([, figures]) => figures.some(Boolean)))
  deepStrictEqual(counted, new Map([...overTime].sort()), `over time in ${period}`)
  const [, total] = toCount({ subject: '', ...report.total })
  deepStrictEqual(total, totalOf(overTime), `total of ${period}`)
  return sizes.reduce((sum, size) => sum + size, counted.size + 1)
}

function totalOf(counts: Counts): Figures {
  const total: Figures = [0, 0, 0, 0]
  for (const figures of counts.values()) for (const at of FIGURES) total[at] += figures[at]
  return total
}

function ask(period: string, places: readonly number[] | null): Asked {
  const keys = places && new Set(places.map(keyOfId))
  return { period, places, keys, counts: LISTS.map(() => new Map()), overTime: new Map() }
}

function* happeningsSince(path: string, day: string): Iterable<Happening> {
  const database = new SqliteDatabase(path, { readonly: true })
  const query = database.prepare(`
    select day, service, place, source, page, views, taps, 0, 0 from visits where day >= ?
    union all
    select substr(submitted_at, 1, 10), '#' || service_id, '#' || location_id, source, page_path, 0, 0, 1, is_won
    from form_submissions where status <> 'spam' and submitted_at >= ?`)
  yield* query.raw().iterate(day, day) as Iterable<Happening>
  database.close()
}

function concerns([day, , place]: Happening, { period, keys }: Asked): boolean {
  return day.startsWith(`${period}-`) && (keys?.has(place) ?? true)
}

function count([day, ...happening]: Happening, { period, counts, overTime }: Asked) {
  const figures = happening.slice(LISTS.length) as Figures
  for (const [index, counted] of counts.entries()) add(counted, String(happening[index]), figures)
  add(overTime, day.slice(0, period.length + '-00'.length), figures)
}

function add(counted: Counts, subject: string, figures: Figures) {
  const sum = counted.get(subject)
  if (sum) for (const at of FIGURES) sum[at] += figures[at]
  else counted.set(subject, figures.slice() as Figures)
}

// Only the figures: which of two pages with the same number is listed doesn't matter.
function topOf(counted: Counts, at: (typeof TOP)[number]): number[] {
  const figures = [...counted.values()].map((one) => one[at])
  return figures.sort((a, b) => b - a).slice(0, MOST_PAGES)
}

function toCount({ subject, views, taps, leads, won }: ReportRow): [string, Figures] {
  return [subject, [views, taps, leads, won]]
}
