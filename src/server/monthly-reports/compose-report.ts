import type { Administrator } from '../../auth/administrator.ts'
import type { Config } from '../../config.ts'
import { findLocale } from '../../db/locale-store.ts'
import type { Db } from '../../db/schema.ts'
import { localDayOf } from '../../lib/locale/calendar-day.ts'
import { describePlaces } from '../../messages/admin/measuring/reports.ts'
import { placeLabel, serviceLabel, sourceLabel } from '../../messages/admin/measuring/result-labels.ts'
import { reportMail as texts } from '../../messages/mail/reports.ts'
import { frameMail } from '../../notifications/mail-frame.ts'
import {
  buttonHtml,
  escapeHtml,
  headingHtml,
  linkHtml,
  paragraphsHtml,
  tableHtml,
} from '../../notifications/mail-html.ts'
import { findSiteSettings } from '../../site/settings/site-settings-store.ts'
import { loadReport, type Report, type ReportRow } from '../../submissions/results/load-report.ts'
import { type PlaceRow, rankPlaces } from '../../submissions/results/place-tree.ts'
import type { Figures } from '../../submissions/results/report-store.ts'
import { listPlaceRows, nameServices } from '../../submissions/results/result-names.ts'
import { findLeadScope } from '../../submissions/scope/scope-store.ts'
import { listNamesOfPlaces } from '../../submissions/search/names-store.ts'

const TOP = 5
// Regions and offices are among them.
const TOP_PLACES = 8
const LANGUAGE = 'en'
const FIGURES = ['leads', 'won', 'taps', 'views'] as const

interface ReportMail {
  subject: string
  text: string
  html: string
}

interface Section {
  title: string
  lines: { label: string; value: string }[]
}

interface ReportOptions {
  /** A month or a year: `2026-10`. */
  period: string
  now: Date
  /** True if the user asked for this report. */
  isAsked?: boolean
}

/** Composes the report of a month for a user: their places only. */
export async function composeReport(
  db: Db,
  { limits }: Pick<Administrator, 'limits'>,
  { period, adminUrl, now, isAsked = false }: ReportOptions & Pick<Config, 'adminUrl'>,
): Promise<ReportMail> {
  const scope = await findLeadScope(db, limits)
  const report = await loadReport(db, { period, scope })
  const before = await loadReport(db, { period: periodBefore(period), scope })
  const places = await listPlaceRows(db, report, scope)
  const services = await nameServices(db, report.services)
  const { name } = await findSiteSettings(db)
  const subject = texts.subject(name, nameOf(period))
  const sections = [
    { title: '', lines: linesOf(report.total, before) },
    ...topsOf(report, { places, services }),
  ]
  const links = {
    results: `${adminUrl}/admin/reports?period=${period}`,
    account: `${adminUrl}/admin/account`,
  }
  const scoped = limits.places && describePlaces([...(await listNamesOfPlaces(db, limits.places)).values()])
  const { timeZone } = await findLocale(db)
  const isOver = !localDayOf(now, timeZone).startsWith(period)
  const about = [...(scoped ? [scoped] : []), ...(isOver ? [] : [texts.unfinished(nameOf(period))])]
  const why = isAsked ? texts.asked : texts.why
  return {
    subject,
    text: [...about, toText(sections, { links, why })].join('\n\n'),
    html: toHtml(subject, about, { sections, links, why }),
  }
}

// The month before one, or the year before one.
function periodBefore(period: string): string {
  if (period.length === 4) return String(Number(period) - 1)
  return Temporal.PlainYearMonth.from(period).subtract({ months: 1 }).toString()
}

// Reports are in English, like the admin.
function nameOf(period: string): string {
  if (period.length === 4) return period
  const format = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${period}-01T00:00:00Z`))
}

function shown(count: number): string {
  return count.toLocaleString('en-US')
}

function nouns(count: number, { one, other }: { one: string; other: string }): string {
  return `${shown(count)} ${count === 1 ? one : other}`
}

function linesOf(total: Figures, { total: former, period }: Report): Section['lines'] {
  return FIGURES.map((key) => ({
    label: texts.labels[key],
    value: texts.figure(shown(total[key]), texts.before(shown(former[key]), nameOf(period))),
  }))
}

function topsOf(
  { services, pages, sources }: Report,
  named: { places: readonly PlaceRow[]; services: ReadonlyMap<string, string> },
): Section[] {
  const ranked = rankPlaces(named.places.filter(({ isItself }) => !isItself))
  const tops = [
    toSection(texts.top.services, topOf(services, TOP), ({ subject }) =>
      serviceLabel(subject, named.services),
    ),
    toSection(texts.top.pages, topOf(pages, TOP), ({ subject }) => subject),
    toSection(texts.top.places, topOf(ranked, TOP_PLACES), placeLabel),
    toSection(texts.top.sources, topOf(sources, TOP), ({ subject }) => sourceLabel(subject)),
  ]
  return tops.filter(({ lines }) => lines.length > 0)
}

function topOf<Row extends ReportRow>(rows: readonly Row[], most: number): Row[] {
  return rows.filter(({ subject }) => subject !== '').slice(0, most)
}

function toSection<Row extends ReportRow>(
  title: string,
  rows: readonly Row[],
  labelOf: (row: Row) => string,
): Section {
  const lines = rows.map((row) => ({
    label: labelOf(row),
    value: texts.row({
      leads: nouns(row.leads, texts.leads),
      won: shown(row.won),
      views: nouns(row.views, texts.views),
      taps: row.taps > 0 ? nouns(row.taps, texts.taps) : undefined,
    }),
  }))
  return { title, lines }
}

interface Links {
  results: string
  account: string
}

function toText(
  sections: readonly Section[],
  { links: { results, account }, why }: { links: Links; why: string },
): string {
  const parts = sections.map(({ title, lines }) =>
    [...(title ? [`${title}:`] : []), ...lines.map(({ label, value }) => `${label}: ${value}`)].join('\n'),
  )
  return `${[...parts, `${texts.link}:\n${results}`, `${why}\n${account}`].join('\n\n')}\n`
}

function toHtml(
  title: string,
  about: readonly string[],
  { sections, links: { results, account }, why }: { sections: readonly Section[]; links: Links; why: string },
): string {
  const body = sections.map(({ title: heading, lines }) => {
    const rows = lines.map(({ label, value }) => ({ label, value: escapeHtml(value) }))
    const head = heading ? `<h2 style="margin:24px 0 8px;font-size:16px">${escapeHtml(heading)}</h2>` : ''
    return head + tableHtml(rows, LANGUAGE)
  })
  const footer = `${escapeHtml(why)} ${linkHtml(account, escapeHtml(account))}`
  return frameMail({
    ...{ title, language: LANGUAGE, footer },
    body:
      headingHtml(title) +
      about.map(paragraphsHtml).join('') +
      body.join('') +
      buttonHtml(results, texts.link),
  })
}
