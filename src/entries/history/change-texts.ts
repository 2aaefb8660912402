import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { findHead } from '../../versions/version-store.ts'
import { type SavingEntry, stampOf } from '../editing/save-entry.ts'
import { findEntryById, listTermIdsOfEntry } from '../entry-lookup-store.ts'
import type { ContentType } from '../types/content-type-store.ts'
import { toSnapshot } from './entry-snapshot.ts'
import { entrySubject } from './record-entry.ts'
import { writeSnapshot } from './restore-entry.ts'

/**
 * Changes every text of an entry, its title and fields included, and saves the entry as a new version. Refused if it
 * has a draft, which would bring the former texts back.
 */
export async function changeTexts(
  db: Kysely<Schema>,
  { type, id, change }: { type: ContentType; id: number; change: (text: string) => string },
  saving: SavingEntry,
): Promise<Outcome<number, AdminProblem, 'has_draft'>> {
  const entry = await findEntryById(db, id)
  if (!entry) return { kind: 'not_found' }
  const head = await findHead(db, entrySubject(id))
  if (head.draftId !== undefined) return { kind: 'refused', code: 'has_draft' }
  const { title, body, data, ...rest } = toSnapshot(entry, await listTermIdsOfEntry(db, id))
  const snapshot = { ...rest, ...mapTexts({ title, body, data }, change) }
  return writeSnapshot(db, { type, id, snapshot, basedOn: stampOf(entry, head) }, saving)
}

/** Returns the value with every text in it changed, at any depth. Keys stay. */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  return mapped(value, change) as Value
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapped(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, change)]))
}
