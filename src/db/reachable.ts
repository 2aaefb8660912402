import { sql } from 'kysely'
import type { Db } from './schema.ts'

/** Whether the database answers a query. Never throws. */
export async function isReachable(db: Db): Promise<boolean> {
  return sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
}
