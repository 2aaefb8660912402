import { findLocale } from '../../db/locale-store.ts'
import type { Db } from '../../db/schema.ts'
import { createLoop, type Loop } from '../../lib/background/loop.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { readCheckReport } from '../../publish/check-report.ts'
import { findReleaseMoment } from '../../publish/release/release.ts'

const LOOK_EVERY_MS = 10 * 60_000
const HOUR_MS = 3_600_000
// Night hours in the business's time zone.
const NIGHT = { from: 2, to: 5 }
const SHORTEST_PAUSE_HOURS = 20
// A machine that is off at night is checked by day.
const LONGEST_PAUSE_HOURS = 72

interface SiteCheckOptions {
  db: Db
  dataDir: string
  /** Checks and repairs the site in another process, which ends when the signal is aborted. */
  check: (signal: AbortSignal) => Promise<void>
  isPublishing: () => boolean
  now: () => Date
  log: Pick<Log, 'error'>
  lookEveryMs?: number
}

export interface SiteCheck extends Loop {
  /** Aborts a check, so that a publish doesn't wait for it. Another check starts at the next turn. */
  giveWay(): void
}

/** Checks the whole site once a night. */
export function createSiteCheck({ lookEveryMs = LOOK_EVERY_MS, ...options }: SiteCheckOptions): SiteCheck {
  const { db, dataDir, check, isPublishing, now, log } = options
  let checking: AbortController | undefined

  async function checkIfDue(stopping: AbortSignal) {
    if (isPublishing() || !isDue(dataDir, { now: now(), timeZone: (await findLocale(db)).timeZone })) return
    checking = new AbortController()
    const { signal } = checking
    try {
      await check(AbortSignal.any([signal, stopping]))
    } catch (error) {
      if (!signal.aborted && !stopping.aborted) throw error
    } finally {
      checking = undefined
    }
  }

  const failure = logTexts.siteNotChecked
  const loop = createLoop({
    everyMs: lookEveryMs,
    firstAfterMs: lookEveryMs,
    turn: checkIfDue,
    failure,
    log,
  })
  return { ...loop, giveWay: () => checking?.abort() }
}

function isDue(dataDir: string, { now, timeZone }: { now: Date; timeZone: string }): boolean {
  const last = readCheckReport(dataDir)?.checkedAt ?? findReleaseMoment(dataDir)
  if (last === undefined) return false
  // Also when the clock was set back since.
  const hours = Math.abs(now.getTime() - Date.parse(last)) / HOUR_MS
  const hour = Number(
    new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(now),
  )
  const isNight = hour >= NIGHT.from && hour < NIGHT.to
  return hours >= LONGEST_PAUSE_HOURS || (isNight && hours >= SHORTEST_PAUSE_HOURS)
}
