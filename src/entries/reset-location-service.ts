import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { findContentTypeById } from './content-type-store.ts'
import { findEntryById } from './entry-lookup-store.ts'
import { type Entry, replaceEntryTerms, updateEntry } from './entry-store.ts'
import { LOCATION_SERVICES } from './field-meaning.ts'
import { inheritsAll } from './inherits-all.ts'

/**
 * Takes away all that a location service has of its own, so that it shows its service's again (§2.9 rule 5). False
 * when the entry is none.
 */
export function resetLocationService(
  db: Kysely<Schema>,
  id: number,
  { now }: { now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const entry = await findEntryById(trx, id)
    const type = entry && (await findContentTypeById(trx, entry.typeId))
    if (!entry || type?.slug !== LOCATION_SERVICES) return false
    await writeReset(trx, entry, { now: now.toISOString() })
    return true
  })
}

async function writeReset(db: Db, entry: Entry, { now }: { now: string }): Promise<void> {
  const { service_entry_id, location_term_id } = entry.data
  const values = {
    ...{ title: '', status: 'published' as const, body: '', data: { service_entry_id, location_term_id } },
    ...{ publishAt: null, unpublishAt: null, redirectFrom: [], isGenerated: false },
  }
  const isGenerated = await inheritsAll(db, values)
  await updateEntry(db, entry.id, { ...values, isGenerated }, { now })
  await replaceEntryTerms(db, entry.typeId, new Map([[entry.id, []]]))
}
