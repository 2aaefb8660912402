import { sql } from 'kysely'
import { fileProblems } from '../messages/server/database.ts'
import { engineOf } from './dialects.ts'
import type { Db } from './schema.ts'

/**
 * Returns the damage that SQLite finds in its file; undefined when it is sound, and on PostgreSQL, which checks
 * itself.
 */
export async function findDamage(db: Db): Promise<string | undefined> {
  if (engineOf(db) !== 'sqlite') return undefined
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
  const [found] = rows
  return found?.quick_check === 'ok' ? undefined : (found?.quick_check ?? fileProblems.unreadable)
}

/** Returns whether a PostgreSQL server is read-only, such as a standby. */
export async function isStandby(db: Db): Promise<boolean> {
  if (engineOf(db) === 'sqlite') return false
  const { rows } = await sql<{
    setting: string
  }>`select current_setting('transaction_read_only') as setting`.execute(db)
  return rows[0]?.setting === 'on'
}
