import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { AdminFault } from '../../messages/admin/problems.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import { findAddressProblem } from '../addresses/check-address.ts'
import { listEntriesById, listTermIdsOfEntry } from '../entry-lookup-store.ts'
import { type Entry, type EntryStatus, updateEntry } from '../entry-store.ts'
import { recordAround } from '../history/record-entry.ts'
import { rulesOf } from '../types/builtin/registry.ts'
import type { ContentType } from '../types/content-type-store.ts'
import type { SavingEntry } from './save-entry.ts'

export interface StatusChange {
  status: EntryStatus
  changed: Entry[]
  /** The entries that were refused, each with its reason. */
  refused: { entry: Entry; problem: AdminFault }[]
}

/** Publishes entries of a type, or makes them drafts. Ignores entries of other types and deleted ones. */
export function setEntryStatus(
  db: Kysely<Schema>,
  { type, ids, status }: { type: ContentType; ids: readonly number[]; status: EntryStatus },
  { now, by }: SavingEntry,
): Promise<StatusChange> {
  return changeContent(db, async (trx) => {
    const change: StatusChange = { status, changed: [], refused: [] }
    const entries = [...(await listEntriesById(trx, ids)).values()]
    for (const entry of entries.filter((one) => one.typeId === type.id && one.status !== status)) {
      const problem = status === 'published' ? await findAddressProblem(trx, type, [entry.slug]) : undefined
      if (problem) change.refused.push({ entry, problem })
      else change.changed.push(entry)
    }
    const clock = { now: now.toISOString(), by }
    for (const entry of change.changed)
      await recordAround(trx, entry, () => write(trx, type, { ...entry, status }, clock), clock)
    return change
  })
}

/** Makes a scheduled entry a draft without a date; returns false if it isn't scheduled. */
export function unscheduleEntry(
  db: Kysely<Schema>,
  { type, id }: { type: ContentType; id: number },
  { now, by }: SavingEntry,
): Promise<boolean> {
  return changeContent(db, async (trx) => {
    const clock = { now: now.toISOString(), by }
    const entry = (await listEntriesById(trx, [id])).get(id)
    if (entry?.typeId !== type.id || (entry.publishAt ?? '') <= clock.now) return false
    const draft = { ...entry, status: 'draft' as const, publishAt: null }
    await recordAround(trx, entry, () => write(trx, type, draft, clock), clock)
    return true
  })
}

async function write(db: Db, type: ContentType, entry: Entry, { now }: { now: string }): Promise<void> {
  const { inherits } = rulesOf(type.slug)
  const hasTerms = inherits && (await listTermIdsOfEntry(db, entry.id)).length > 0
  const isGenerated = !hasTerms && ((await inherits?.isWhole(db, entry)) ?? false)
  await updateEntry(db, entry.id, { ...entry, isGenerated }, { now })
}
