import type { Db } from '../../db/schema.ts'
import { withLiveSite } from './live-site.ts'
import { hasSettingsBack } from './log-condition-store.ts'
import { findSavesSince, type ShownSaves } from './shown-saves.ts'

/** Returns which saves of the settings the live site shows; all of them, too, if they were changed back. */
export function findShownSettings({ db, dataDir }: { db: Db; dataDir: string }): Promise<ShownSaves> {
  return withLiveSite(dataDir, async (site) => {
    if (site === undefined) return 'none'
    if (site === 'unknown') return 'unknown'
    const shown = await findSavesSince(db, site, { subjects: ['setting'], id: 'site' })
    return shown !== 'all' && (await hasSettingsBack(db, site)) ? 'all' : shown
  })
}
