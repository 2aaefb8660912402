import { dashboardTexts } from '../../messages/admin/dashboard.ts'
import type { Series } from '../../server/dashboard/daily-series.ts'
import type { PlotView } from '../kit/plot/plot.ts'

const COLORS = ['primary', 'accent', 'success', 'info', 'warning', 'error'] as const
const OTHERS = 'neutral'

/** Assigns a color to each series; the ones beyond the last color are combined. */
export function withColors(series: readonly Pick<Series, 'label' | 'values'>[]): PlotView['series'] {
  const named = series.slice(0, COLORS.length)
  const rest = series.slice(COLORS.length)
  const colored = named.map(({ label, values }, index) => ({ label, values, color: COLORS[index] ?? OTHERS }))
  if (rest.length === 0) return colored
  const values = rest[0]?.values.map((_, day) => rest.reduce((sum, one) => sum + (one.values[day] ?? 0), 0))
  return [...colored, { label: dashboardTexts.others(rest.length), values: values ?? [], color: OTHERS }]
}

// Created once, because toLocaleDateString() creates one per call.
const DAY_FORMAT = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Formats a day for an axis: `Nov 20`. */
export function shortDay(day: string): string {
  return DAY_FORMAT.format(new Date(`${day}T00:00:00Z`))
}

/** `850 ms` or `2.5 s`. */
export function shortDuration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`
}

/** `1.4 GB` */
export function shortBytes(bytes: number): string {
  const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1_000 ** power
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })} ${UNITS[power]}`
}
