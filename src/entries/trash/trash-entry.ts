import type { Db } from '../../db/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { insertTrashed } from '../../versions/trash-store.ts'
import type { Saving } from '../../versions/version.ts'
import { findEntryName, listEntriesById } from '../entry-lookup-store.ts'
import type { Entry } from '../entry-store.ts'
import { entrySubject } from '../history/record-entry.ts'
import { listGenerated } from '../offers/follow-offers.ts'
import type { GeneratedPage } from '../offers/removed-page-store.ts'
import { rulesOf } from '../types/builtin/registry.ts'
import { type EntryRows, readEntryRows } from './entry-rows-store.ts'

/** A value of another entry that changed because of a deletion. */
export interface Mention {
  entryId: number
  before: Entry['data']
  after: Entry['data']
}

/** An entry as stored in the trash. */
export interface TrashedEntry {
  /** The deleted entry first, then its customized local pages. */
  rows: EntryRows
  /** Entries that referred to it. */
  mentions: Mention[]
  /** Its other local pages. */
  generated?: GeneratedPage[]
}

/**
 * Deletes an entry with `remove` and keeps it in the trash with everything deleted with it: its local pages, links to
 * terms, former names, and references to it. Call it inside a transaction.
 */
export async function trashEntry(
  db: Db,
  { entry, typeSlug }: { entry: Entry; typeSlug: string },
  remove: () => Promise<void>,
  saving: Saving,
): Promise<void> {
  const { parts } = rulesOf(typeSlug)
  const offers = (await parts?.(db, entry.id)) ?? []
  const written = offers.filter(({ isGenerated }) => !isGenerated).map(({ id }) => id)
  const own = await readEntryRows(db, [entry.id])
  const rest = await readEntryRows(db, written)
  const naming = await findNaming(db, entry, typeSlug)
  const name = await findEntryName(db, entry)
  await remove()
  const rows: EntryRows = {
    entries: [...own.entries, ...rest.entries],
    links: [...own.links, ...rest.links],
    formerNames: [...own.formerNames, ...rest.formerNames],
  }
  const mentions = await findMentions(db, naming)
  const content: TrashedEntry = { rows, mentions, generated: listGenerated(offers) }
  const described = { typeSlug, name, parts: offers.length }
  await insertTrashed(db, entrySubject(entry.id), { ...described, content }, saving)
}

// A location page belongs to its service, whose patterns include the place.
async function findNaming(db: Db, entry: Entry, typeSlug: string): Promise<Entry[]> {
  const { namedBy, inherits } = rulesOf(typeSlug)
  const service = inherits ? Number(entry.data.service_entry_id) : 0
  return [...((await namedBy?.(db, entry)) ?? []), ...(await listEntriesById(db, [service])).values()]
}

async function findMentions(db: Db, before: readonly Entry[]): Promise<Mention[]> {
  const after = await listEntriesById(
    db,
    before.map(({ id }) => id),
  )
  return before.flatMap(({ id, data }) => {
    const now = after.get(id)?.data
    if (!now || canonicalJson(now) === canonicalJson(data)) return []
    return [{ entryId: id, before: data, after: now }]
  })
}
