export type CountSeries = 'submissions' | 'spam' | 'attempts' | 'duration'
export type CountSource = 'submissions' | 'attempts'

/** What happened on a day (UTC), as it was when it was counted: rows that are deleted later stay counted. */
export interface DailyCountsTable {
  day: string
  series: CountSeries
  /** The id of the form; `delivered` or `failed`; the upper bound of a duration in ms. */
  subject: string
  count: number
}

/** Up to which row of its table each source is counted. */
export interface CountCursorsTable {
  source: CountSource
  last_id: number
}
