import { inScope, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import type { Stage } from '../stages/stage-settings.ts'

/** Stage of a lead, and its assignee; null if nobody. */
export interface Progress {
  stage: Stage
  assigneeId: number | null
}

/** Sets both; returns false if nothing changes or there is no such lead. */
export async function updateProgress(
  db: Db,
  id: number,
  { stage: { slug: stage, counts_as }, assigneeId, scope }: Progress & { scope: LeadScope },
): Promise<boolean> {
  const result = await db
    .updateTable('form_submissions')
    .set({ stage, is_won: counts_as === 'won' ? 1 : 0, assignee_id: assigneeId })
    .where('id', '=', id)
    .where(inScope(db, scope))
    .where(({ eb, or }) => or([eb('stage', '!=', stage), eb('assignee_id', 'is distinct from', assigneeId)]))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Returns those of the leads that are in the scope and not spam, which has no stage or assignee. */
export async function listWorkable(db: Db, ids: readonly number[], scope: LeadScope): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('form_submissions')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '!=', 'spam')
    .where(inScope(db, scope))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Sets the stage of the leads that are in another; returns the number changed. */
export async function updateStages(
  db: Db,
  ids: readonly number[],
  { stage: { slug: stage, counts_as }, scope }: { stage: Stage; scope: LeadScope },
): Promise<number> {
  if (ids.length === 0) return 0
  const result = await db
    .updateTable('form_submissions')
    .set({ stage, is_won: counts_as === 'won' ? 1 : 0 })
    .where('id', 'in', ids)
    .where('stage', '!=', stage)
    .where(inScope(db, scope))
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Sets the assignee of the leads in both scopes that have another; returns the number changed. */
export async function updateAssignees(
  db: Db,
  ids: readonly number[],
  { assigneeId, scope, within }: { assigneeId: number | null; scope: LeadScope; within: LeadScope },
): Promise<number> {
  if (ids.length === 0) return 0
  const result = await db
    .updateTable('form_submissions')
    .set({ assignee_id: assigneeId })
    .where('id', 'in', ids)
    .where('assignee_id', 'is distinct from', assigneeId)
    .where(inScope(db, scope))
    .where(inScope(db, within))
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** The email addresses of all assignees, by ID. */
export async function listAssigneeEmails(db: Db): Promise<Map<number, string>> {
  const rows = await db.selectFrom('admin_users').select(['id', 'email']).execute()
  return new Map(rows.map(({ id, email }) => [id, email]))
}
