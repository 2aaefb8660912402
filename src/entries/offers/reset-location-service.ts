import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { refuseTakenAddresses, unlessTaken } from '../addresses/check-address.ts'
import { findEntryById } from '../entry-lookup-store.ts'
import { type Entry, replaceEntryTerms, updateEntry } from '../entry-store.ts'
import { rulesOf } from '../types/builtin/registry.ts'
import { findContentTypeById } from '../types/content-type-store.ts'
import { inheritsAll } from './inherits-all.ts'

export type ResetOutcome =
  | { kind: 'reset' }
  /** There is no such entry, or it is no location service. */
  | { kind: 'not_found' }
  /** It is a draft, and another page is where its page would be. */
  | { kind: 'address_taken'; reason: string }

/** Takes away all that a location service has of its own, so that it shows its service's again (§2.9 rule 5). */
export function resetLocationService(
  db: Kysely<Schema>,
  id: number,
  { now }: { now: Date },
): Promise<ResetOutcome> {
  return unlessTaken<ResetOutcome>(
    db,
    async (trx) => {
      const entry = await findEntryById(trx, id)
      const type = entry && (await findContentTypeById(trx, entry.typeId))
      if (!entry || !type || !rulesOf(type.slug).inherits) return { kind: 'not_found' }
      await refuseTakenAddresses(trx, type, [entry.slug])
      await writeReset(trx, entry, { now: now.toISOString() })
      return { kind: 'reset' }
    },
    (reason) => ({ kind: 'address_taken', reason }),
  )
}

async function writeReset(db: Db, entry: Entry, { now }: { now: string }): Promise<void> {
  const { service_entry_id, location_term_id } = entry.data
  const values = {
    title: '',
    status: 'published' as const,
    body: '',
    data: { service_entry_id, location_term_id },
    publishAt: null,
    unpublishAt: null,
    redirectFrom: [],
    isGenerated: false,
  }
  const isGenerated = await inheritsAll(db, values)
  await updateEntry(db, entry.id, { ...values, isGenerated }, { now })
  await replaceEntryTerms(db, entry.typeId, new Map([[entry.id, []]]))
}
