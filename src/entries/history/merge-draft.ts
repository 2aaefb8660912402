import type { Db } from '../../db/schema.ts'
import { listVersionContents, type StoredVersion } from '../../versions/version-store.ts'
import { listTermIdsOfEntry } from '../entry-lookup-store.ts'
import type { Entry } from '../entry-store.ts'
import { compareSnapshots, nameOfKey, pickValues } from './compare-snapshots.ts'
import { type EntrySnapshot, toSnapshot } from './entry-snapshot.ts'
import { entrySubject } from './record-entry.ts'

interface Sides {
  saved: EntrySnapshot
  /** The version saved before the draft; undefined if the page was generated. */
  base: EntrySnapshot | undefined
  draft: EntrySnapshot
}

/**
 * Returns the saved content of an entry with what a draft changes. A draft changes the values in which it differs from
 * those it was based on, so that it never undoes what was saved since.
 */
export function mergeDraft({ saved, draft, base = asGenerated(draft) }: Sides): EntrySnapshot {
  const changed = new Set(compareSnapshots(base, draft, []).map(({ key }) => nameOfKey(key)))
  return { ...pickValues(saved, draft, changed), isGenerated: draft.isGenerated }
}

// The content that a page of a service in a place has until someone edits it.
function asGenerated(draft: EntrySnapshot): EntrySnapshot {
  const { service_entry_id, location_term_id } = draft.data
  const none = { publishAt: null, unpublishAt: null, redirectFrom: [], termIds: [] }
  const text = { title: '', body: '', data: { service_entry_id, location_term_id } }
  return { ...draft, ...text, ...none, status: 'published' }
}

/** Loads what an entry would contain if its draft were used now. `saved` is its saved content, if it is known. */
export async function loadMergedDraft(
  db: Db,
  { entry, saved }: { entry: Entry; saved?: EntrySnapshot | undefined },
  { version, content }: StoredVersion,
): Promise<EntrySnapshot> {
  const draft = content as EntrySnapshot
  // Every save of a draft keeps what was saved before it as a version.
  const former = { limit: 1, before: version.id, state: 'saved' } as const
  const [base] = await listVersionContents(db, entrySubject(entry.id), former)
  const current = saved ?? toSnapshot(entry, await listTermIdsOfEntry(db, entry.id))
  return mergeDraft({ saved: current, base: base?.content as EntrySnapshot | undefined, draft })
}
