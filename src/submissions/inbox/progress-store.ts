import { inScope, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import type { Stage } from './stages.ts'

/** How far a lead has come, and who looks after it; null: nobody. */
export interface Progress {
  stage: Stage
  assigneeId: number | null
}

/** Sets both; false when nothing differs, or there is no such lead. */
export async function updateProgress(
  db: Db,
  id: number,
  { stage, assigneeId, scope }: Progress & { scope: LeadScope },
): Promise<boolean> {
  const result = await db
    .updateTable('form_submissions')
    .set({ stage, assignee_id: assigneeId })
    .where('id', '=', id)
    .where(inScope(db, scope))
    .where(({ eb, or }) => or([eb('stage', '!=', stage), eb('assignee_id', 'is distinct from', assigneeId)]))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
