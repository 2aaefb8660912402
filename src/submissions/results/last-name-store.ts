import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'

/** The name that a lead of this place has for it; for a place that was deleted, within a `LeadScope` that holds it. */
export async function findLastPlaceName(
  db: Db,
  id: NonNullable<LeadScope['places']>[number],
): Promise<string | undefined> {
  const row = await db
    .selectFrom('form_submissions')
    .select('location_name')
    .where('location_id', '=', id)
    .where('location_name', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row?.location_name ?? undefined
}
