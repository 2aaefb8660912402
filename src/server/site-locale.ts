import { findLocale } from '../db/locale-store.ts'
import type { Db } from '../db/schema.ts'
import type { Locale } from '../lib/locale/locale.ts'

// The settings may be saved by a sync, a command or another server.
const READ_EVERY_MS = 5_000

/** The locale of the site in memory: every page of the admin writes times by it, without a query of its own. */
export interface SiteLocale {
  current(): Locale
  /** Reads it again: call it after the settings were saved. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

export async function watchLocale({
  db,
  log,
}: {
  db: Db
  log: { error(details: object, message: string): void }
}): Promise<SiteLocale> {
  let locale = await findLocale(db)
  let reading: Promise<void> = Promise.resolve()

  async function refresh() {
    locale = await findLocale(db)
  }

  function readAgain() {
    reading = refresh().catch((err: unknown) => log.error({ err }, 'could not read the locale of the site'))
  }

  const timer = setInterval(readAgain, READ_EVERY_MS).unref()
  return {
    current: () => locale,
    refresh,
    async stop() {
      clearInterval(timer)
      await reading
    },
  }
}
