import { reportTexts as texts } from '../../messages/admin/measuring/reports.ts'
import type { Report } from '../../submissions/results/load-report.ts'
import type { PlotView } from '../kit/plot/plot.ts'

// Created once, because toLocaleDateString() creates one per call.
const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Formats `Nov 2026` for `2026-11`, `Nov 20` for `2026-11-20`; a year is unchanged. */
export function periodName(period: string): string {
  if (period.length === 4) return period
  const isDay = period.length === 10
  return (isDay ? DAY : MONTH).format(new Date(`${isDay ? period : `${period}-01`}T00:00:00Z`))
}

/** Lists the months from first to last, and their years, newest first, always including the current month. */
export function listPeriods(counted: { first: string; last: string } | undefined, current: string): string[] {
  const [first, last] = [counted?.first ?? current, current]
  const months: string[] = []
  for (let month = last; month >= first && months.length < 120; month = monthBefore(month)) months.push(month)
  return [...months, ...new Set(months.map((month) => month.slice(0, 4)))]
}

function monthBefore(month: string): string {
  return new Date(Date.parse(`${month}-01T00:00:00Z`) - 86_400_000).toISOString().slice(0, 7)
}

/**
 * Leads over time and views over time as separate plots: with a hundred times as many views, leads would be
 * invisible in one.
 */
export function toPlots({ overTime }: Report): { leads: PlotView; views: PlotView } {
  const { wonLeads, otherLeads, taps } = texts.labels
  const labels = overTime.map(({ subject }) => periodName(subject))
  const plotOf = (series: PlotView['series']): PlotView => ({ labels, series, isHorizontal: false })
  return {
    leads: plotOf([
      // Won and other leads are stacked in one bar per day. Phone taps have a second bar.
      { label: wonLeads, values: overTime.map(({ won }) => won), color: 'success', bar: 'leads' },
      {
        label: otherLeads,
        values: overTime.map(({ leads, won }) => leads - won),
        color: 'primary',
        bar: 'leads',
      },
      { label: taps, values: overTime.map((one) => one.taps), color: 'accent', bar: 'taps' },
    ]),
    views: plotOf([{ label: texts.labels.views, values: overTime.map(({ views }) => views), color: 'info' }]),
  }
}
