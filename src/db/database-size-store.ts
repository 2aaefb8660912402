import { sql } from 'kysely'
import type { Db } from './schema.ts'

/** How many bytes a PostgreSQL database takes on its server. */
export async function findDatabaseBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    db,
  )
  return Number(rows[0]?.bytes ?? 0)
}
