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
  const restore = found?.trashed.subject.kind === 'term' ? restoreTrashedTerm : restoreTrashedEntry
  const outcome = await restore(db, trashId, saving)
  return outcome.kind === 'invalid' ? { ...outcome, problems: outcome.problems.map(ofTrash) } : outcome
}

// The trash has no input for another address.
function ofTrash(problem: AdminProblem): AdminProblem {
  if (problem.code === 'entry_slug_taken') return { ...problem, code: 'trash_address_taken' }
  return problem.code === 'page_taken' ? { ...problem, code: 'trash_page_taken' } : problem
}
