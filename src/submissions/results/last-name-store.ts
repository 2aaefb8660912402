import type { Db } from '../../db/schema.ts'

/** Returns the name that a lead of this place stores for it. */
export async function findLastPlaceName(db: Db, id: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('form_submissions')
    .select('location_name')
    .where('location_id', '=', id)
    .where('location_name', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row?.location_name ?? undefined
}
