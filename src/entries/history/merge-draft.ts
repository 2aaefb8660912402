import type { Db } from '../../db/schema.ts'
import { listVersionContents, type StoredVersion } from '../../versions/version-store.ts'
import { listTermIdsOfEntry } from '../entry-lookup-store.ts'
import type { Entry } from '../entry-store.ts'
import { compareSnapshots, nameOfKey, pickValues } from './compare-snapshots.ts'
import { type EntrySnapshot, toSnapshot } from './entry-snapshot.ts'
import { entrySubject } from './record-entry.ts'

interface Sides {
  saved: EntrySnapshot
  /** The version saved before the draft; undefined for a generated page, which has no content of its own. */
  base: EntrySnapshot | undefined
  draft: EntrySnapshot
}

/**
 * Returns the saved content of an entry with what a draft changes. A draft changes the values in which it differs from
 * those it was based on, so that it never undoes what was saved since.
 */
export function mergeDraft({ saved, base, draft }: Sides): EntrySnapshot {
  if (!base) return draft
  const changed = new Set(compareSnapshots(base, draft, []).map(({ key }) => nameOfKey(key)))
  return { ...pickValues(saved, draft, changed), isGenerated: draft.isGenerated }
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
  if (!base) return draft
  const current = saved ?? toSnapshot(entry, await listTermIdsOfEntry(db, entry.id))
  return mergeDraft({ saved: current, base: base.content as EntrySnapshot, draft })
}
