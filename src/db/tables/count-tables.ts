import type { Generated } from 'kysely'

export type CountSeries = 'submissions' | 'spam' | 'attempts' | 'duration'
export type CountSource = 'submissions' | 'attempts'

export interface CountTables {
  /**
   * Counts of a day in the site's time zone: rows that are deleted later stay counted. Leads marked as spam later move to that series: see
   * migration 0390.
   */
  daily_counts: {
    day: string
    series: CountSeries
    /** The id of the form; `delivered` or `failed`; the upper bound of a duration in ms. */
    subject: string
    count: number
  }
  /** The last counted row of each source's table. */
  count_cursors: {
    source: CountSource
    last_id: number
  }
  /** Sums of views and phone taps. */
  traffic_counts: ResultKey & { views: number; taps: number }
  /** Sums of leads without spam; deleted ones stay counted. */
  lead_counts: ResultKey & { leads: number; won: Generated<number> }
  /** Differences since then, a row for each: see migration 0127. */
  lead_changes: {
    id: Generated<number>
    day: string
    service: string
    place: string
    source: string
    page: string
    leads: number
    won: Generated<number>
  }
}

/** Key of a sum: a day in the site's time zone, a month or a year, and everything, a service, a source, or a page, in one place. */
type ResultKey = {
  /** `2026-11-20`, `2026-11`, or `2026`. */
  period: string
  dimension: 'all' | 'service' | 'source' | 'page'
  subject: string
  /**
   * `#12` by ID, `=texas/austin` by the slugs of a deleted place, empty without a place; a service likewise. `#` alone
   * is all places together.
   */
  place: string
}
