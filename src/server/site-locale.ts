import { findLocale } from '../db/locale-store.ts'
import type { Db } from '../db/schema.ts'
import { createLoop, type Loop } from '../lib/background/loop.ts'
import type { Locale } from '../lib/locale/locale.ts'
import type { Log } from '../lib/log.ts'
import { logTexts } from '../messages/server/log.ts'
import { findSiteSettings } from '../site/settings/site-settings-store.ts'
import { DEFAULT_STAGES, type Stage } from '../submissions/stages/stage-settings.ts'

// The settings may be saved by a sync, a command or another server.
const READ_EVERY_MS = 5_000

/** Settings of the site in memory: every page of the admin needs them, without its own query. */
export interface SiteLocale extends Loop {
  current(): Locale
  /** Returns true if the activity log records who opens a lead. */
  recordsReading(): boolean
  /** Returns the stages of leads. */
  stages(): readonly Stage[]
  /** Reads it again: call it after the settings were saved. */
  refresh(): Promise<void>
}

export async function openSiteLocale({ db, log }: { db: Db; log: Pick<Log, 'error'> }): Promise<SiteLocale> {
  let locale = await findLocale(db)
  let settings = await findSiteSettings(db)

  async function refresh() {
    locale = await findLocale(db)
    settings = await findSiteSettings(db)
  }

  const failure = logTexts.localeUnreadable
  const loop = createLoop({
    everyMs: READ_EVERY_MS,
    turn: refresh,
    failure,
    log,
  })
  return {
    ...loop,
    current: () => locale,
    recordsReading: () => settings.record_reading === true,
    stages: () => settings.stages ?? DEFAULT_STAGES,
    refresh,
  }
}
