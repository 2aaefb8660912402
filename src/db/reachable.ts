import { existsSync } from 'node:fs'
import type { Db } from './schema.ts'

/** Whether the tables can be read, and the file is where it was: one that was deleted would be written on. Never throws. */
export async function isUsable(db: Db, databaseUrl: string): Promise<boolean> {
  if (databaseUrl.startsWith('file:') && !existsSync(databaseUrl.slice('file:'.length))) return false
  const read = db.selectFrom('form_submissions').select('id').limit(1).execute()
  return read.then(
    () => true,
    () => false,
  )
}
