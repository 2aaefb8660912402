import type { Db } from '../../db/schema.ts'
import { SETTINGS_SUBJECT } from '../../site/settings/record-settings.ts'
import { listChangedAreas, type SettingsArea } from '../../site/settings/settings-areas.ts'
import { loadContentsAt } from '../../versions/content-at-store.ts'
import type { EntryState } from './entry-state.ts'
import { type LiveSite, withLiveSite } from './live-site.ts'
import { hasSettingsBack } from './log-condition-store.ts'
import { findSavesSince, type ShownSaves } from './shown-saves.ts'

type LivePart = Pick<LiveSite, 'position' | 'ahead'>

/**
 * Lists the parts of the settings in which the saved ones differ from the live ones; undefined if the live ones are
 * unknown.
 */
export async function listUnpublishedAreas(
  db: Db,
  { position, ahead }: LivePart,
): Promise<SettingsArea[] | undefined> {
  const { kind, id } = SETTINGS_SUBJECT
  const time = ahead.find(({ subject }) => subject === 'setting')?.savedAt ?? position.savedAt
  const contentAt = await loadContentsAt(db, kind, { ids: [id], times: [time] })
  const before = contentAt(id, time)
  return before === undefined ? undefined : listChangedAreas(before, contentAt(id))
}

/** Does the same for the live release of a data folder. */
export function findUnpublishedAreas(of: { db: Db; dataDir: string }): Promise<SettingsArea[] | undefined> {
  return withLiveSite(of.dataDir, async (site) =>
    site === undefined || site === 'unknown' ? undefined : listUnpublishedAreas(of.db, site),
  )
}

/** Returns the state of a part of the settings. Changes of the other part are not its own. */
export function findAreaState(
  { db, dataDir }: { db: Db; dataDir: string },
  area: SettingsArea,
): Promise<EntryState> {
  return withLiveSite(dataDir, async (site) => {
    if (site === undefined) return 'pending'
    if (site === 'unknown') return 'published'
    if ((await findSavesSince(db, site, { subjects: ['setting'], id: 'site' })) === 'all') return 'live'
    const areas = await listUnpublishedAreas(db, site)
    const isBack = areas ? !areas.includes(area) : await hasSettingsBack(db, site)
    return isBack ? 'live' : 'changed'
  })
}

/** Returns which saves of the settings the live site shows; all of them, too, if they were changed back. */
export function findShownSettings({ db, dataDir }: { db: Db; dataDir: string }): Promise<ShownSaves> {
  return withLiveSite(dataDir, async (site) => {
    if (site === undefined) return 'none'
    if (site === 'unknown') return 'unknown'
    const shown = await findSavesSince(db, site, { subjects: ['setting'], id: 'site' })
    return shown !== 'all' && (await hasSettingsBack(db, site)) ? 'all' : shown
  })
}
