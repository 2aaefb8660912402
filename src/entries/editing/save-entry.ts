import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { findOutdated, type Outcome } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { unlessTaken } from '../addresses/check-address.ts'
import { findEntryById, listTermIdsOfEntry } from '../entry-lookup-store.ts'
import { type Entry, insertEntries, replaceEntryTerms, updateEntry } from '../entry-store.ts'
import { rulesOf } from '../types/builtin/registry.ts'
import type { ContentType } from '../types/content-type-store.ts'
import { type CheckedEntry, checkEntry, renderBody } from './check-entry.ts'
import type { EntryInput } from './entry-input.ts'

/**
 * Makes a new entry of a type, or changes the one with this id. Of a service that is renamed or offered elsewhere the
 * location services follow (§2.9 rule 3); what names it by slug follows too. Returns its ID.
 */
export async function saveEntry(
  db: Kysely<Schema>,
  { type, id, input }: { type: ContentType; id?: number | undefined; input: EntryInput },
  { now }: { now: Date },
): Promise<Outcome<number, AdminProblem>> {
  // Before the transaction, which holds up other writers.
  const text = await renderBody(input)
  return unlessTaken(db, async (trx) => {
    const entry = id === undefined ? undefined : await findEntryById(trx, id)
    if (id !== undefined && entry?.typeId !== type.id) return { kind: 'not_found' }
    const outdated = entry && findOutdated(entry.updatedAt, input.basedOn)
    if (outdated) return outdated
    const existing = entry && { entry, termIds: await listTermIdsOfEntry(trx, entry.id) }
    const { checked, problems } = await checkEntry(trx, type, { input, text }, existing)
    if (problems.length > 0) return { kind: 'invalid', problems }
    return { kind: 'saved', value: await write(trx, type, entry, checked, { now: now.toISOString() }) }
  })
}

async function write(
  db: Db,
  type: ContentType,
  entry: Entry | undefined,
  { slug, values, termIds }: CheckedEntry,
  { now }: { now: string },
): Promise<number> {
  const { afterSave, inherits } = rulesOf(type.slug)
  const isGenerated = termIds.length === 0 && ((await inherits?.isWhole(db, values)) ?? false)
  const stored = { ...values, isGenerated }
  const id = entry?.id ?? (await insertEntries(db, type.id, [{ slug, ...stored }], { now })).get(slug)
  if (id === undefined) throw new Error(`The entry ${slug} was not stored`)
  // In one statement: the former slug and the former title are kept as a pair.
  if (entry) await updateEntry(db, id, stored, { now, slug })
  await replaceEntryTerms(db, type.id, new Map([[id, termIds]]))
  await afterSave?.(db, { id, before: entry }, { now })
  return id
}
