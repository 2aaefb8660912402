import type { App } from '../../app.ts'
import { findEntryById } from '../../entries/entry-lookup-store.ts'
import type { Entry } from '../../entries/entry-store.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import type { EntryState } from '../../publish/states/entry-state.ts'
import { withLiveSite } from '../../publish/states/live-site.ts'
import { loadStates } from '../../publish/states/load-states.ts'
import { findShownSaves, type ShownSaves } from '../../publish/states/shown-saves.ts'

/** Returns the state of a saved entry on the live site. `service` is the service of a local page. */
export function loadState(
  { db, config }: Pick<App, 'db' | 'config'>,
  { type, entry, service }: { type: ContentType; entry: Entry; service: Entry | undefined },
): Promise<EntryState> {
  return withLiveSite(config.dataDir, async (site) => {
    const placeId = service && Number(entry.data.location_term_id)
    const entries = [{ ...entry, service, placeId }]
    const states = await loadStates(db, site, { type, entries, now: new Date() })
    return states.get(entry.id) ?? 'draft'
  })
}

/** Returns which saves of an entry visitors see. */
export async function loadShownSaves(
  app: Pick<App, 'db' | 'config'>,
  { type, entry }: { type: ContentType; entry: Entry },
): Promise<ShownSaves> {
  const { db, config } = app
  const isPair = rulesOf(type.slug).inherits !== undefined
  const service = isPair ? await findEntryById(db, Number(entry.data.service_entry_id)) : undefined
  const state = await loadState(app, { type, entry, service })
  if (state === 'pending' || state === 'scheduled' || state === 'draft') return 'none'
  if (state === 'ended' || state === 'published') return 'unknown'
  if (state === 'live') return 'all'
  const subjects = ['entry', 'entry_terms'] as const
  return findShownSaves({ db, dataDir: config.dataDir }, { subjects, id: entry.id })
}

/** Returns whether visitors can open the page of an entry in this state. */
export function isReachable(state: EntryState): boolean {
  return state === 'live' || state === 'changed' || state === 'removal' || state === 'published'
}
