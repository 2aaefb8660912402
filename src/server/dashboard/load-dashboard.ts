import { stat, statfs } from 'node:fs/promises'
import type { App } from '../../app.ts'
import { findDatabaseBytes } from '../../db/database-size-store.ts'
import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { listFormNames } from '../../forms/form-list-store.ts'
import { localDayOf } from '../../lib/locale/calendar-day.ts'
import { utcTextOf } from '../../lib/locale/local-time.ts'
import { dashboardLabels } from '../../messages/admin/dashboard.ts'
import { findMailProblems, type MailProblems } from '../../notifications/failing-mail-store.ts'
import { listPublishes, type Publish } from '../../publish/publish-store.ts'
import { countPagesInSearch, type SearchPresence } from '../../site/quality/search-presence-store.ts'
import { listFailingWebhooks } from '../../webhooks/definition/webhook-health-store.ts'
import type { RunningServer } from '../servers/server-store.ts'
import { countInScope, countTheRest, DELETED_LEADS, mergeCounts } from './count-activity.ts'
import { type ContentCounts, countContent } from './count-content.ts'
import { listDailyCounts } from './daily-count-store.ts'
import { daysUntil, type Series, seriesOf } from './daily-series.ts'
import { type DurationRow, durationsOf } from './durations.ts'

const SHOWN_DAYS = 30
const SHOWN_FAILED = 5

export interface Dashboard {
  /** The last 30 days in the site's time zone, oldest first. */
  days: string[]
  /** Submissions of each form, spam apart, by day. */
  submissions: Series[]
  /** Attempts to deliver by outcome and day. */
  attempts: Series[]
  /** Durations of the attempts of these days. */
  durations: DurationRow[]
  failing: Awaited<ReturnType<typeof listFailingWebhooks>>
  mail: MailProblems
  content: ContentCounts
  search: SearchPresence
  lastPublish: Publish | undefined
  storage: { databaseBytes: number; freeBytes: number; totalBytes: number }
  /** Servers on this database that have their own DATA_DIR. */
  otherServers: readonly RunningServer[]
}

/** Loads the first page of the admin. Of a million submissions, only those since the last count are read. */
export async function loadDashboard(
  app: App,
  { scope, now }: { scope: LeadScope; now: Date },
): Promise<Dashboard> {
  const { db, config } = app
  const { timeZone } = app.siteLocale.current()
  const days = daysUntil(localDayOf(now, timeZone), SHOWN_DAYS)
  const [fromDay = ''] = days
  const since = utcTextOf(`${fromDay}T00:00`, timeZone) ?? ''
  const counts = await countDays(db, { days, since, timeZone, scope })
  const hasLeads = counts.some(({ series }) => series === 'submissions')
  const names = hasLeads ? await listFormNames(db) : new Map<number, string>()
  const [lastPublish] = await listPublishes(db, { limit: 1 })
  return {
    days,
    submissions: seriesOf(counts, 'submissions', {
      days,
      nameOf: (subject) => nameOfForm(subject, names),
    }),
    attempts: seriesOf(counts, 'attempts', {
      days,
      nameOf: (outcome) => (outcome === 'delivered' ? dashboardLabels.delivered : dashboardLabels.failed),
    }),
    durations: durationsOf(counts, days),
    failing: await listFailingWebhooks(db),
    mail: await findMailProblems(db, { scope, since, limit: SHOWN_FAILED }),
    content: await countContent(db, { dataDir: config.dataDir, now }),
    search: await countPagesInSearch(db),
    lastPublish,
    storage: await readStorage(db, config),
    otherServers: app.heartbeat?.others() ?? [],
  }
}

async function countDays(
  db: Db,
  { days, since, timeZone, scope }: { days: string[]; since: string; timeZone: string; scope: LeadScope },
) {
  if (scope.places !== null) return countInScope(db, { days, since, scope })
  const counts = mergeCounts([
    ...(await listDailyCounts(db, { fromDay: days[0] ?? '' })),
    ...(await countTheRest(db, timeZone)),
  ])
  return counts.filter(({ series, subject }) => series !== 'submissions' || isOfScope(scope, subject))
}

function nameOfForm(subject: string, names: ReadonlyMap<number, string>): string {
  if (subject === DELETED_LEADS) return dashboardLabels.deletedLeads
  return names.get(Number(subject)) ?? dashboardLabels.deletedForm
}

function isOfScope({ forms }: LeadScope, formId: string): boolean {
  return forms === null || forms.includes(Number(formId))
}

async function readStorage(db: Db, { dataDir, databaseUrl }: App['config']): Promise<Dashboard['storage']> {
  const { bavail, blocks, bsize } = await statfs(dataDir)
  const disk = { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  if (!databaseUrl.startsWith('file:')) return { ...disk, databaseBytes: await findDatabaseBytes(db) }
  const file = databaseUrl.slice('file:'.length)
  const sizes = await Promise.all([file, `${file}-wal`].map((path) => stat(path).catch(() => undefined)))
  return { ...disk, databaseBytes: sizes.reduce((sum, one) => sum + (one?.size ?? 0), 0) }
}
