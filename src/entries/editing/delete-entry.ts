import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { findEntryById, listTermIdsOfEntry } from '../entry-lookup-store.ts'
import { deleteEntries, type Entry } from '../entry-store.ts'
import { trashEntry } from '../trash/trash-entry.ts'
import { rulesOf } from '../types/builtin/registry.ts'
import { findContentTypeById } from '../types/content-type-store.ts'
import type { SavingEntry } from './save-entry.ts'

/** Everything a deletion includes, and the entries that lose a reference. */
export interface Removal {
  entry: Entry
  typeSlug: string
  /** A service's pages in places, and how many of these have their own texts. */
  locationServices: { count: number; withOwnTexts: string[] }
  /** For a service or a testimonial: entries that lose their reference to it. */
  namedBy: Pick<Entry, 'id' | 'slug' | 'title'>[]
  /** Links to terms (§2.8). */
  termLinks: number
}

/** Lists everything that is deleted with an entry; undefined when the entry does not exist. */
export async function planRemoval(db: Db, id: number): Promise<Removal | undefined> {
  const entry = await findEntryById(db, id)
  if (!entry) return undefined
  const typeSlug = (await findContentTypeById(db, entry.typeId))?.slug ?? ''
  const { namedBy, parts } = rulesOf(typeSlug)
  const offers = (await parts?.(db, id)) ?? []
  return {
    entry,
    typeSlug,
    locationServices: {
      count: offers.length,
      withOwnTexts: offers.filter(({ isGenerated }) => !isGenerated).map(({ slug }) => slug),
    },
    namedBy: (await namedBy?.(db, entry)) ?? [],
    termLinks: (await listTermIdsOfEntry(db, id)).length,
  }
}

/**
 * Moves an entry to the trash with all that `planRemoval` lists. A service whose page in a place is deleted is offered there no
 * more. False when there is no such entry.
 */
export function deleteEntry(db: Kysely<Schema>, id: number, { now, by }: SavingEntry): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
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
