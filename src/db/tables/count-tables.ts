import type { Generated } from 'kysely'

export type CountSeries = 'submissions' | 'spam' | 'attempts' | 'duration'
export type CountSource = 'submissions' | 'attempts'

export interface CountTables {
  /** What happened on a day (UTC), as it was when it was counted: rows that are deleted later stay counted. */
  daily_counts: {
    day: string
    series: CountSeries
    /** The id of the form; `delivered` or `failed`; the upper bound of a duration in ms. */
    subject: string
    count: number
  }
  /** Up to which row of its table each source is counted. */
  count_cursors: {
    source: CountSource
    last_id: number
  }
  /** Views and phone taps, added up. */
  traffic_counts: ResultKey & { views: number; taps: number }
  /** Leads without spam, added up; those that were deleted stay counted. */
  lead_counts: ResultKey & { leads: number }
  /** What changed since, a row for each difference: see migration 0127. */
  lead_changes: {
    id: Generated<number>
    day: string
    service: string
    place: string
    source: string
    page: string
    leads: number
  }
}

/** What is counted of a day (UTC), a month or a year: everything, a service, a source, or a page, in one place. */
interface ResultKey {
  /** `2026-11-20`, `2026-11`, or `2026`. */
  period: string
  dimension: 'all' | 'service' | 'source' | 'page'
  subject: string
  /** Slugs from the root; empty for what is about no place. */
  place: string
}
