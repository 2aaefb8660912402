import type { Db } from '../../db/schema.ts'
import { findEntryById, listEntriesById } from '../../entries/entry-lookup-store.ts'
import { type Entry, updateEntry } from '../../entries/entry-store.ts'
import { asDrafted } from '../../entries/history/entry-draft.ts'
import type { EntrySnapshot } from '../../entries/history/entry-snapshot.ts'
import { isPublicAt } from '../../entries/is-public-at.ts'
import { alignLocationServiceSlugs } from '../../entries/offers/location-service-store.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { listContentTypes } from '../../entries/types/content-type-store.ts'
import { bringWhatNames } from './bring-what-names.ts'
import { changeRow, deleteRows, listRows } from './content-row-store.ts'
import { takeEntry } from './take-due-entries.ts'

interface Taken {
  now: Date
  /** Drafts to copy in place of saved versions, by the ID of the entry. */
  drafts?: ReadonlyMap<number, EntrySnapshot>
}

/**
 * Copies the saved versions of entries, or their drafts, into the live content, removing deleted and hidden ones, and
 * applies the effects on other entries there too. Returns why entries were left out, as sentences.
 */
export async function takeEntries(
  live: Db,
  db: Db,
  ids: readonly number[],
  { now, drafts = new Map() }: Taken,
): Promise<string[]> {
  const types = new Map((await listContentTypes(db)).map(({ id, slug }) => [id, slug]))
  const typeOf = ({ typeId }: Entry) => types.get(typeId) ?? ''
  const before = await listEntriesById(live, ids)
  const saved = new Map(
    [...(await listEntriesById(db, ids))].map(([id, entry]): [number, Entry] => {
      const draft = drafts.get(id)
      return [id, draft ? asDrafted(entry, draft) : entry]
    }),
  )
  for (const entry of before.values()) {
    if (!saved.has(entry.id)) await removeEntry(live, typeOf(entry), entry, now)
    else if (!isPublicAt(saved.get(entry.id) ?? entry, now))
      await deleteRows(live, 'content_entries', 'id', [entry.id])
  }
  const shown = [...saved.values()].filter((entry) => isPublicAt(entry, now))
  // Two entries may have swapped addresses.
  for (const { id, slug } of shown)
    if (before.has(id) && before.get(id)?.slug !== slug)
      await changeRow(live, 'content_entries', id, { slug: `~${id}` })
  const problems: string[] = []
  const rankOf = (entry: Entry) => rankOfType(typeOf(entry))
  for (const entry of shown.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const { id } = entry
    const taking = { entry, type: typeOf(entry), before: before.get(id), draft: drafts.get(id) }
    problems.push(...(await takeOne(live, db, taking, now)))
  }
  return problems
}

// Entries that others depend on come first; entries that inherit come last.
function rankOfType(type: string): number {
  const { parts, inherits } = rulesOf(type)
  return parts ? 0 : inherits ? 2 : 1
}

async function removeEntry(live: Db, type: string, entry: Entry, now: Date): Promise<void> {
  await rulesOf(type).beforeRemoval?.(live, entry, { now: now.toISOString() })
  await deleteRows(live, 'content_entries', 'id', [entry.id])
}

interface Taking {
  entry: Entry
  type: string
  /** The entry's live version. */
  before: Entry | undefined
  /** The draft that the entry shows, if any. */
  draft: EntrySnapshot | undefined
}

async function takeOne(
  live: Db,
  db: Db,
  { entry, type, before, draft }: Taking,
  now: Date,
): Promise<string[]> {
  const clock = { now: now.toISOString() }
  if (rulesOf(type).inherits) await bringService(live, db, entry, now)
  const problems = await takeEntry(live, db, entry, draft)
  if (problems.length > 0) {
    if (before) await changeRow(live, 'content_entries', entry.id, { slug: before.slug })
    return problems
  }
  const taken = await findEntryById(live, entry.id)
  const data = await bringWhatNames(live, db, { type, entry })
  if (taken && data) await updateEntry(live, entry.id, { ...taken, data }, clock)
  const serviceId = Number(entry.data.service_entry_id)
  if (rulesOf(type).inherits) await alignLocationServiceSlugs(live, { serviceId }, clock)
  await rulesOf(type).afterSave?.(live, { id: entry.id, before }, clock)
  return []
}

// A location page requires its service.
async function bringService(live: Db, db: Db, { data }: Entry, now: Date): Promise<void> {
  const id = Number(data.service_entry_id)
  const [known] = await listRows(live, 'content_entries', 'id', [id])
  if (!known) await takeEntries(live, db, [id], { now })
}
