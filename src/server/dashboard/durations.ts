import { DURATION_BOUNDS } from '../../webhooks/deliveries/attempt-count-store.ts'
import type { DailyCount } from './daily-count-store.ts'

/** Number of attempts that took at most this long, and longer than the row before. */
export interface DurationRow {
  withinMs: number
  count: number
  /** The share of attempts that took at most this long, from 0 to 1. */
  share: number
}

/** The durations of the attempts of these days; empty when there were none. */
export function durationsOf(counts: readonly DailyCount[], days: readonly string[]): DurationRow[] {
  const shown = new Set(days)
  const chosen = counts.filter(({ day, series }) => series === 'duration' && shown.has(day))
  const total = chosen.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return []
  let below = 0
  return DURATION_BOUNDS.map((withinMs) => {
    const ofBound = chosen.filter(({ subject }) => subject === String(withinMs))
    const count = ofBound.reduce((sum, one) => sum + one.count, 0)
    below += count
    return { withinMs, count, share: below / total }
  })
}
