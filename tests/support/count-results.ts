import type { LeadScope } from '#src/db/lead-scope/lead-scope.ts'
import type { Report } from '#src/submissions/results/load-report.ts'
import type { Traffic } from '#src/submissions/results/traffic-store.ts'

/** The columns of a lead that results depend on. */
export interface CountedLead {
  submitted_at: string
  local_day: string | null
  status: string
  service_id: number | null
  service_slug: string | null
  location_id: number | null
  location_path: string | null
  source: string | null
  page_path: string | null
  is_won: number
}

/** The figures of a report by subject: views, taps, leads, won. */
type Sums = Record<string, number[]>

/** The lists of a report. */
export type ReportSums = Record<'services' | 'places' | 'sources' | 'pages' | 'overTime', Sums> & {
  total: number[]
}

/** A lead or visits, with the keys they count under. */
export type Event = Traffic & { leads: number; won: number }

/** Lists what counts: leads without spam, and visits. */
export function listEvents(rows: readonly CountedLead[], visits: readonly Traffic[] = []): Event[] {
  const leads = rows
    .filter(({ status }) => status !== 'spam')
    .map((row) => ({
      day: row.local_day ?? row.submitted_at.slice(0, 10),
      service: keyOf(row.service_id, row.service_slug),
      place: keyOf(row.location_id, row.location_path),
      source: row.source ?? 'unknown',
      page: row.page_path ?? '',
      ...{ views: 0, taps: 0, leads: 1, won: row.is_won },
    }))
  return [...leads, ...visits.map((one) => ({ ...one, leads: 0, won: 0 }))]
}

function keyOf(id: number | null, slugs: string | null): string {
  if (id !== null && id > 0) return `#${id}`
  return id === 0 && slugs !== null ? `=${slugs}` : (slugs ?? '')
}

/** Counts one by one, in memory, what `loadReport` reads from sums. */
export function countReport(
  events: readonly Event[],
  { period, places }: { period: string } & Pick<LeadScope, 'places'>,
): ReportSums {
  const counted = events.filter(
    ({ day, place }) => day.startsWith(`${period}-`) && (!places || places.some((id) => place === `#${id}`)),
  )
  const by = (nameOf: (event: Event) => string) => sumsBy(counted, nameOf)
  return {
    services: by(({ service }) => service),
    places: by(({ place }) => place),
    sources: by(({ source }) => source),
    pages: by(({ page }) => page),
    overTime: by(({ day }) => day.slice(0, period.length + 3)),
    total: by(() => '')[''] ?? [0, 0, 0, 0],
  }
}

/** Adds up events by name. */
export function sumsBy(events: readonly Event[], nameOf: (event: Event) => string): Sums {
  const sums: Sums = {}
  for (const event of events) {
    const name = nameOf(event)
    const figures = [event.views, event.taps, event.leads, event.won]
    sums[name] = figures.map((figure, at) => figure + (sums[name]?.[at] ?? 0))
  }
  return Object.fromEntries(Object.entries(sums).filter(([, figures]) => figures.some((one) => one !== 0)))
}

/** Returns the same lists of a loaded report. */
export function sumsOfReport(report: Report): ReportSums {
  const shown = (rows: Report['services']): Sums =>
    Object.fromEntries(
      rows
        .map(
          ({ subject, views, taps, leads, won }) =>
            [subject, [views, taps, leads, won]] as [string, number[]],
        )
        .filter(([, figures]) => figures.some((one) => one !== 0)),
    )
  const { views, taps, leads, won } = report.total
  return {
    services: shown(report.services),
    places: shown(report.places),
    sources: shown(report.sources),
    pages: shown(report.pages),
    overTime: shown(report.overTime),
    total: [views, taps, leads, won],
  }
}
