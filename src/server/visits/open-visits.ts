import type { Kysely } from 'kysely'
import type { Config } from '../../config.ts'
import type { Db, Schema } from '../../db/schema.ts'
import type { Log } from '../../lib/log.ts'
import { findSiteSettings } from '../../site/settings/site-settings-store.ts'
import type { SiteLocale } from '../site-locale.ts'
import { createPageFinder } from './page-finder.ts'
import { createVisitCounter, type VisitCounter } from './visit-counter.ts'

interface VisitsParts {
  db: Kysely<Schema>
  siteLocale: Pick<SiteLocale, 'current'>
  log: Pick<Log, 'error'>
  now: () => Date
}

/** Opens the counter of views and phone taps. */
export function openVisits(
  config: Pick<Config, 'siteUrl' | 'formOrigins'>,
  { db, siteLocale, log, now }: VisitsParts,
): VisitCounter {
  return createVisitCounter({
    db,
    ownHosts: ownHostsOf(config),
    keepsSources: () => keepsSources(db),
    findPage: createPageFinder(db, { now }),
    timeZone: () => siteLocale.current().timeZone,
    now,
    log,
  })
}

/** Hosts of the site, which don't count as sources. */
export function ownHostsOf({ siteUrl, formOrigins }: Pick<Config, 'siteUrl' | 'formOrigins'>): Set<string> {
  return new Set([siteUrl, ...formOrigins].map((origin) => new URL(origin).host))
}

/** Returns whether the setting `attribution` is on. */
export async function keepsSources(db: Db): Promise<boolean> {
  return (await findSiteSettings(db)).attribution !== false
}
