import type { Kysely } from 'kysely'
import type { Administrator } from '../../auth/administrator.ts'
import { findAdministrator } from '../../auth/administrator-store.ts'
import { getsReport, listReportReaders } from '../../auth/report-choice-store.ts'
import { can } from '../../auth/roles/capabilities.ts'
import type { Config } from '../../config.ts'
import { findLocale } from '../../db/locale-store.ts'
import type { Db, Schema } from '../../db/schema.ts'
import { createLoop } from '../../lib/background/loop.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import { reportMail as texts } from '../../messages/mail/reports.ts'
import { logTexts } from '../../messages/server/log.ts'
import type { SendAccountMail } from '../accounts/account-mail.ts'
import type { Heartbeat } from '../servers/heartbeat.ts'
import { composeReport } from './compose-report.ts'
import {
  type ClaimedReport,
  claimReport,
  closeLostReports,
  planReports,
  settleReport,
} from './monthly-report-store.ts'

const EVERY_MS = 60_000
/** A server that was off on the first of the month sends reports up to this day. */
const LAST_DAY = 7
const MOST_ATTEMPTS = 5
const RETRY_MS = 1_800_000
/** Longer than sending can take. */
const LOST_AFTER_MS = 900_000

interface ReportsOptions {
  db: Kysely<Schema>
  config: Pick<Config, 'adminUrl'>
  accountMail: SendAccountMail | undefined
  /** Undefined on SQLite. */
  heartbeat?: Pick<Heartbeat, 'leads'> | undefined
  now: () => Date
  log: Pick<Log, 'error'>
}

/**
 * Emails the report of a month on the first of the next one, in the site's time zone. A report is claimed before it is
 * sent, so a user gets it at most once, even if the program is killed. The leader of several servers sends them.
 * Undefined without a mail server.
 */
export function createMonthlyReports(options: ReportsOptions): Worker | undefined {
  const { accountMail, heartbeat, log } = options
  if (!accountMail) return undefined
  return createLoop({
    everyMs: EVERY_MS,
    firstAfterMs: EVERY_MS,
    async turn(signal) {
      if (!heartbeat || heartbeat.leads()) await sendDueReports({ ...options, accountMail }, { signal })
    },
    failure: logTexts.monthlyReportFailed,
    log,
  })
}

/** Plans the reports of the last month in the first days of this one, and sends those that are due. */
export async function sendDueReports(
  {
    db,
    config,
    accountMail,
    now,
  }: Omit<ReportsOptions, 'accountMail' | 'heartbeat' | 'log'> & { accountMail: SendAccountMail },
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const before = new Date(now().getTime() - LOST_AFTER_MS)
  await closeLostReports(db, { before, error: texts.interrupted })
  const { timeZone } = await findLocale(db)
  const today = Temporal.Instant.fromEpochMilliseconds(now().getTime()).toZonedDateTimeISO(timeZone)
  if (today.day <= LAST_DAY) {
    const first = today.with({ day: 1 }).startOfDay()
    const since = new Date(first.epochMilliseconds).toISOString()
    const period = first.toPlainDate().toPlainYearMonth().subtract({ months: 1 }).toString()
    await planReports(db, await listReportReaders(db, { since }), { period, now: now() })
  }
  while (!signal?.aborted) {
    const claimed = await claimReport(db, { now: now() })
    if (!claimed) return
    await send(claimed)
  }

  async function send({ id, userId, period, attempts }: ClaimedReport) {
    const user = await findAdministrator(db, userId)
    const obstacle = user ? await findObstacle(db, user) : texts.disabled
    if (!user || obstacle) return settleReport(db, id, { status: 'failed', error: obstacle ?? null })
    const mail = await composeReport(db, user, { period, adminUrl: config.adminUrl, now: now() })
    const outcome = await accountMail({ recipient: user.email, ...mail })
    if (outcome.kind === 'sent') return settleReport(db, id, { status: 'sent', error: null })
    const isOver = outcome.isFinal || outcome.isUncertain || attempts >= MOST_ATTEMPTS
    const dueAt = new Date(now().getTime() + RETRY_MS)
    await settleReport(db, id, { status: isOver ? 'failed' : 'pending', dueAt, error: outcome.message })
  }
}

// The account may have changed since the report was planned, or since its last attempt.
async function findObstacle(db: Db, user: Administrator): Promise<string | undefined> {
  if (user.disabledAt !== null) return texts.disabled
  if (!can(user, 'read_results')) return texts.noAccess
  return (await getsReport(db, user)) ? undefined : texts.turnedOff
}
