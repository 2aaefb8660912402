import type { App } from '../../app.ts'
import { findEntryById } from '../../entries/entry-lookup-store.ts'
import { isPublicAt } from '../../entries/is-public-at.ts'
import { findFormById } from '../../forms/form-store.ts'
import { withLiveRecord } from '../../publish/pending/live-record.ts'
import { listLiveEntries } from '../../publish/states/live-site.ts'
import type { TrashSubject } from '../../versions/trash-store.ts'

/**
 * Visibility of a restored item. `live`: its deletion was never published. `pending`: visible after the next publish.
 * `hidden`: a draft, an inactive form, an item outside its schedule, or a picture, which nothing uses.
 */
export type RestoredState = 'live' | 'pending' | 'hidden'

/** Returns the state of an item that was just restored from the trash. */
export async function findRestoredState(
  { db, config }: Pick<App, 'db' | 'config'>,
  { kind, id }: TrashSubject,
): Promise<RestoredState> {
  if (kind === 'picture') return 'hidden'
  const { dataDir } = config
  if (kind !== 'entry')
    return withLiveRecord(dataDir, async (live) => {
      if (live?.findName(`${kind}:${id}`) !== undefined) return 'live'
      const isHidden = kind === 'form' && (await findFormById(db, id))?.status !== 'active'
      return isHidden ? 'hidden' : 'pending'
    })
  const entry = await findEntryById(db, id)
  if (!entry || !isPublicAt(entry, new Date())) return 'hidden'
  return (await listLiveEntries(dataDir, [id])).has(id) ? 'live' : 'pending'
}
