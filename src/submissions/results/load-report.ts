import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import {
  type Figures,
  listCountedPlaces,
  listSums,
  listSumsOfPlaces,
  listSumsOfTopPages,
  listSumsOverTime,
  NO_FIGURES,
  partsOf,
  plus,
} from './report-store.ts'
import { keyOfId } from './result-keys.ts'

/** A line of a report. */
export interface ReportRow extends Figures {
  /** Services and places are keys. */
  subject: string
}

/** The results of a month or a year. */
export interface Report {
  /** `2026-11` or `2026`. */
  period: string
  total: Figures
  /** Each day of the month, or each month of the year. */
  overTime: ReportRow[]
  services: ReportRow[]
  /** Of each place, without the places below it: see `listPlaceRows`. */
  places: ReportRow[]
  sources: ReportRow[]
  /** The pages with the most leads, and those with the most views. */
  pages: ReportRow[]
}

interface ReportQuery {
  period: string
  /** Leads that the account may see. Sums aren't split by form, so accounts limited to forms have no report. */
  scope: Pick<LeadScope, 'places'>
}

/** Returns whether a text is a month or a year. */
export function isPeriod(text: string): boolean {
  return /^20\d\d(-(0[1-9]|1[0-2]))?$/.test(text)
}

/**
 * Loads the figures of a period from their sums, in the same time for ten views or ten million and for any number of
 * pages.
 */
export async function loadReport(db: Db, { period, scope }: ReportQuery): Promise<Report> {
  const query = { period, places: await listScopeKeys(db, { period, scope }) }
  const overTime = await listSumsOverTime(db, query)
  const services = await listSums(db, 'service', query)
  return {
    period,
    total: [...services.values()].reduce(plus, NO_FIGURES),
    overTime: partsOf(period).map((subject) => ({ subject, ...(overTime.get(subject) ?? NO_FIGURES) })),
    services: sorted(services),
    places: sorted(await listSumsOfPlaces(db, query)),
    sources: sorted(await listSums(db, 'source', query)),
    pages: sorted(await listSumsOfTopPages(db, query)),
  }
}

/**
 * Lists the keys of the places in a scope; undefined for all. Leaves out places without counts, which would make the
 * query long.
 */
export async function listScopeKeys(db: Db, { period, scope }: ReportQuery): Promise<string[] | undefined> {
  if (scope.places === null) return undefined
  const keys = new Set(scope.places.map(keyOfId))
  return (await listCountedPlaces(db, period)).filter((key) => keys.has(key))
}

function sorted(sums: ReadonlyMap<string, Figures>): ReportRow[] {
  const rows = [...sums].map(([subject, figures]) => ({ subject, ...figures }))
  const shown = rows.filter(({ views, taps, leads, won }) => views + taps + leads + won > 0)
  return shown.sort((a, b) => b.leads - a.leads || b.views - a.views || (a.subject < b.subject ? -1 : 1))
}
