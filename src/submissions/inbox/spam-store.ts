import { inScope, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import type { SpamReason } from '../../messages/admin/spam.ts'
import { spamColumns } from '../spam-reason.ts'

/** Marks a submission as spam; returns false if it already is or doesn't exist. */
export async function setSpam(
  db: Db,
  id: number,
  { reason, scope }: { reason: SpamReason; scope: LeadScope },
): Promise<boolean> {
  const result = await db
    .updateTable('form_submissions')
    .set({ status: 'spam', ...spamColumns(reason) })
    .where('id', '=', id)
    .where('status', '!=', 'spam')
    .where(inScope(db, scope))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Marks spam as new; returns false if it isn't spam or doesn't exist. */
export async function clearSpam(db: Db, id: number, scope: LeadScope): Promise<boolean> {
  const result = await db
    .updateTable('form_submissions')
    .set({ status: 'new', ...spamColumns(null) })
    .where('id', '=', id)
    .where('status', '=', 'spam')
    .where(inScope(db, scope))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
