import type { Config } from '../config.ts'
import { machineTimeZone } from '../lib/locale/locale.ts'
import { findSiteSettings } from '../site/settings/site-settings-store.ts'
import { type Finding, ok, warning } from './finding.ts'
import { withDatabase } from './with-database.ts'

/** Returns the time zone of emails, exports, and results: the site's, or this machine's if the site has none. */
export function checkTimeZone(config: Config): Promise<Finding> {
  const name = 'timeZone'
  return withDatabase(name, config, async (db) => {
    const { time_zone: zone } = await findSiteSettings(db)
    return zone ? ok(name, 'timeZone', zone) : warning(name, 'timeZoneOfServer', machineTimeZone())
  })
}
