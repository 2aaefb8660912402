import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import { findEntryById, listEntryNames, listTermIdsOfEntry } from '../entry-lookup-store.ts'
import { deleteEntries, type Entry } from '../entry-store.ts'
import { trashEntry } from '../trash/trash-entry.ts'
import { rulesOf } from '../types/builtin/registry.ts'
import { findContentTypeById } from '../types/content-type-store.ts'
import type { SavingEntry } from './save-entry.ts'

/** Everything that is deleted, and the entries that lose a reference. */
export interface Removal {
  entry: Entry
  typeSlug: string
  /** A service's pages in places, and the names of those with their own content. */
  locationServices: { count: number; withOwnTexts: string[] }
  /** For a service or a testimonial: entries that lose their reference to it. */
  namedBy: Pick<Entry, 'id' | 'slug' | 'title'>[]
  /** Links to terms (§2.8). */
  termLinks: number
}

/** Lists everything that is deleted with an entry; undefined if the entry doesn't exist. */
export async function planRemoval(db: Db, id: number): Promise<Removal | undefined> {
  const entry = await findEntryById(db, id)
  if (!entry) return undefined
  const typeSlug = (await findContentTypeById(db, entry.typeId))?.slug ?? ''
  const { namedBy, parts } = rulesOf(typeSlug)
  const offers = (await parts?.(db, id)) ?? []
  const own = offers.filter(({ isGenerated }) => !isGenerated)
  return {
    entry,
    typeSlug,
    locationServices: {
      count: offers.length,
      withOwnTexts: await namesOf(db, own),
    },
    namedBy: (await namedBy?.(db, entry)) ?? [],
    termLinks: (await listTermIdsOfEntry(db, id)).length,
  }
}

async function namesOf(db: Db, offers: readonly { id: number; slug: string }[]): Promise<string[]> {
  const names = await listEntryNames(
    db,
    offers.map(({ id }) => id),
  )
  return offers.map(({ id, slug }) => names.get(id) ?? slug)
}

/**
 * Moves an entry to the trash with everything that `planRemoval` lists. If it is a page of a service in a place, the
 * service is no longer offered there. Returns false if there is no such entry.
 */
export function deleteEntry(db: Kysely<Schema>, id: number, { now, by }: SavingEntry): Promise<boolean> {
  return changeContent(db, async (trx) => {
    const removal = await planRemoval(trx, id)
    if (!removal) return false
    const saving = { now: now.toISOString(), by }
    const remove = async () => {
      await rulesOf(removal.typeSlug).beforeRemoval?.(trx, removal.entry, saving)
      await deleteEntries(trx, [id])
    }
    await trashEntry(trx, removal, remove, saving)
    return true
  })
}
