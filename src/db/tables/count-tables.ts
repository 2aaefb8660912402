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
}
