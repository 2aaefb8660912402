import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { engineOf } from '../dialects.ts'
import type { Schema } from '../schema.ts'

/**
 * Entries of an index that are read, in a few milliseconds. With 1,000, half of all leads having a status looked as rare
 * as a place. Any limit also keeps SQLite from storing samples, which would name visitors.
 */
const READ_ENTRIES = 20_000
// Of all tables; the lowest bit lists the statements without running them.
const LISTED = '0x10003'
// One key, all places together, has thousands of times as many rows as any other: an average misleads.
const UNEVEN = new Set(['lead_counts', 'traffic_counts'])

/**
 * Updates the statistics by which SQLite picks indexes, of tables that have none or whose size changed tenfold. Yields
 * to the event loop after each index. Does nothing on PostgreSQL, which does so itself.
 */
export async function updateStatistics(
  db: Kysely<Schema>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  if (engineOf(db) !== 'sqlite') return
  for (const statement of await listStatements(db)) {
    if (signal?.aborted) return
    // A transaction waits for a locked database without stopping the process.
    await db.transaction().execute(async (trx) => {
      await sql`pragma analysis_limit = ${sql.raw(String(READ_ENTRIES))}`.execute(trx)
      await sql.raw(statement).execute(trx)
    })
    await nextTurn()
  }
}

// For each index of the tables that SQLite names, because all of one table take too long at once.
async function listStatements(db: Kysely<Schema>): Promise<string[]> {
  const { rows: tables } = await sql<{ optimize: string }>`pragma optimize(${sql.raw(LISTED)})`.execute(db)
  const { rows: indexes } = await sql<{ name: string; table: string }>`
    select own.name, held.name as "table" from sqlite_master as held, pragma_index_list(held.name) as own
    where held.type = 'table'`.execute(db)
  const named = new Set(tables.map(({ optimize }) => optimize))
  return indexes
    .filter(({ table }) => named.has(`ANALYZE "main"."${table}"`) && !UNEVEN.has(table))
    .map(({ name }) => `analyze "main"."${name}"`)
}
