import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { findTrashed } from '../../versions/trash-store.ts'
import type { SavingEntry } from '../editing/save-entry.ts'
import { type Restored, restoreTrashedEntry } from './restore-trashed-entry.ts'
import { restoreTrashedTerm } from './restore-trashed-term.ts'

/** Restores an item from the trash under its ID, with everything deleted with it, or returns why it can't. */
export async function restoreTrashed(
  db: Kysely<Schema>,
  trashId: number,
  saving: SavingEntry,
): Promise<Outcome<Restored, AdminProblem>> {
  const found = await findTrashed(db, trashId)
  if (found?.trashed.subject.kind === 'term') return restoreTrashedTerm(db, trashId, saving)
  return restoreTrashedEntry(db, trashId, saving)
}
