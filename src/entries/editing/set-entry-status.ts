import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { checkAddress } from '../addresses/check-address.ts'
import { listEntriesById, listTermIdsOfEntry } from '../entry-lookup-store.ts'
import { type Entry, type EntryStatus, updateEntry } from '../entry-store.ts'
import { inheritsAll } from '../offers/inherits-all.ts'
import type { ContentType } from '../types/content-type-store.ts'
import { LOCATION_SERVICES } from '../types/field-meaning.ts'

export interface StatusChange {
  status: EntryStatus
  changed: Entry[]
  /** Those that stay as they are, with the reason. */
  refused: { entry: Entry; reason: string }[]
}

/** Publishes these entries of a type, or makes them drafts. Those of another type, or that are gone, are passed over. */
export function setEntryStatus(
  db: Kysely<Schema>,
  { type, ids, status }: { type: ContentType; ids: readonly number[]; status: EntryStatus },
  { now }: { now: Date },
): Promise<StatusChange> {
  return db.transaction().execute(async (trx) => {
    const change: StatusChange = { status, changed: [], refused: [] }
    const entries = [...(await listEntriesById(trx, ids)).values()]
    for (const entry of entries.filter((one) => one.typeId === type.id && one.status !== status)) {
      const reason = status === 'published' ? await checkAddress(trx, type, entry.slug) : undefined
      if (reason) change.refused.push({ entry, reason })
      else change.changed.push(entry)
    }
    for (const entry of change.changed)
      await write(trx, type, { ...entry, status }, { now: now.toISOString() })
    return change
  })
}

async function write(db: Db, type: ContentType, entry: Entry, { now }: { now: string }): Promise<void> {
  const isPair = type.slug === LOCATION_SERVICES
  const hasTerms = isPair && (await listTermIdsOfEntry(db, entry.id)).length > 0
  const isGenerated = isPair && !hasTerms && (await inheritsAll(db, entry))
  await updateEntry(db, entry.id, { ...entry, isGenerated }, { now })
}
