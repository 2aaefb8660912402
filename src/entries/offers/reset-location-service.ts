import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import type { Saver } from '../../versions/version.ts'
import { refuseTakenAddresses, unlessTaken } from '../addresses/check-address.ts'
import { findEntryById } from '../entry-lookup-store.ts'
import type { Entry } from '../entry-store.ts'
import { recordAround } from '../history/record-entry.ts'
import { rulesOf } from '../types/builtin/registry.ts'
import { findContentTypeById } from '../types/content-type-store.ts'
import { isOffered, takeAllOwn } from './inherits-all.ts'

/**
 * Removes a location service's own content, so that it shows its service's again (§2.9 rule 5). For a draft, the
 * address may be taken.
 */
export function resetLocationService(
  db: Kysely<Schema>,
  id: number,
  { now, by }: { now: Date; by?: Saver | undefined },
): Promise<Outcome<Entry, AdminProblem>> {
  return unlessTaken(db, async (trx) => {
    const entry = await findEntryById(trx, id)
    const type = entry && (await findContentTypeById(trx, entry.typeId))
    if (!entry || !type || !rulesOf(type.slug).inherits) return { kind: 'not_found' }
    await refuseTakenAddresses(trx, type, [entry.slug])
    const isGenerated = await isOffered(trx, entry.data)
    const clock = { now: now.toISOString(), by }
    await recordAround(trx, entry, () => takeAllOwn(trx, { ...entry, isGenerated }, clock), clock)
    return { kind: 'saved', value: entry }
  })
}
