import { findLocale } from '../db/locale-store.ts'
import type { Db } from '../db/schema.ts'
import { createLoop, type Loop } from '../lib/background/loop.ts'
import type { Locale } from '../lib/locale/locale.ts'
import type { Log } from '../lib/log.ts'
import { logTexts } from '../messages/server/log.ts'
import { findSiteSettings } from '../site/settings/site-settings-store.ts'

// The settings may be saved by a sync, a command or another server.
const READ_EVERY_MS = 5_000

/** Settings of the site in memory: every page of the admin needs them, without its own query. */
export interface SiteLocale extends Loop {
  current(): Locale
  /** Returns true if the activity log records who opens a lead. */
  recordsReading(): boolean
  /** Reads it again: call it after the settings were saved. */
  refresh(): Promise<void>
}

export async function openSiteLocale({ db, log }: { db: Db; log: Pick<Log, 'error'> }): Promise<SiteLocale> {
  let locale = await findLocale(db)
  let recordsReading = await findRecordsReading(db)

  async function refresh() {
    locale = await findLocale(db)
    recordsReading = await findRecordsReading(db)
  }

  const failure = logTexts.localeUnreadable
  const loop = createLoop({
    everyMs: READ_EVERY_MS,
    firstAfterMs: READ_EVERY_MS,
    turn: refresh,
    failure,
    log,
  })
  return { ...loop, current: () => locale, recordsReading: () => recordsReading, refresh }
}

async function findRecordsReading(db: Db): Promise<boolean> {
  return (await findSiteSettings(db)).record_reading === true
}
