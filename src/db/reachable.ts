import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import type { Db } from './schema.ts'

/** Whether the database answers a query. Never throws. */
export async function isReachable(db: Db): Promise<boolean> {
  return sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
}

/** Whether the tables can be read, and the file is where it was: one that was deleted would be written on. Never throws. */
export async function isUsable(db: Db, databaseUrl: string): Promise<boolean> {
  if (databaseUrl.startsWith('file:') && !existsSync(databaseUrl.slice('file:'.length))) return false
  const read = db.selectFrom('form_submissions').select('id').limit(1).execute()
  return read.then(
    () => true,
    () => false,
  )
}
