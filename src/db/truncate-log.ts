import { type Kysely, sql } from 'kysely'
import { WAIT_FOR_DATABASE_MS } from './connect.ts'
import { engineOf } from './dialects.ts'
import type { Schema } from './schema.ts'

/**
 * Empties SQLite's write-ahead log, which holds rows as they were before their removal. Never waits: returns false when
 * another process is reading or writing. Does nothing on PostgreSQL.
 */
export async function truncateLog(db: Kysely<Schema>): Promise<boolean> {
  if (engineOf(db) !== 'sqlite') return true
  return db.connection().execute(async (connection) => {
    await sql`pragma busy_timeout = 0`.execute(connection)
    try {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(connection)
      return rows[0]?.busy === 0
    } finally {
      await sql`pragma busy_timeout = ${sql.raw(String(WAIT_FOR_DATABASE_MS))}`.execute(connection)
    }
  })
}
