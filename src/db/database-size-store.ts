import { sql } from 'kysely'
import type { Db } from './schema.ts'

/** Returns the size of a PostgreSQL database in bytes. */
export async function findDatabaseBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    db,
  )
  return Number(rows[0]?.bytes ?? 0)
}
