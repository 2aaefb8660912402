import { findLocale } from '../db/locale-store.ts'
import type { Db } from '../db/schema.ts'
import { createLoop, type Loop } from '../lib/background/loop.ts'
import type { Locale } from '../lib/locale/locale.ts'
import type { Log } from '../lib/log.ts'
import { logTexts } from '../messages/server/log.ts'

// The settings may be saved by a sync, a command or another server.
const READ_EVERY_MS = 5_000

/** The locale of the site in memory: every page of the admin writes times by it, without a query of its own. */
export interface SiteLocale extends Loop {
  current(): Locale
  /** Reads it again: call it after the settings were saved. */
  refresh(): Promise<void>
}

export async function openSiteLocale({ db, log }: { db: Db; log: Pick<Log, 'error'> }): Promise<SiteLocale> {
  let locale = await findLocale(db)

  async function refresh() {
    locale = await findLocale(db)
  }

  const failure = logTexts.localeUnreadable
  const loop = createLoop({
    everyMs: READ_EVERY_MS,
    firstAfterMs: READ_EVERY_MS,
    turn: refresh,
    failure,
    log,
  })
  return { ...loop, current: () => locale, refresh }
}
