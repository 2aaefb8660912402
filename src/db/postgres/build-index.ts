import { sql } from 'kysely'
import type { Db } from '../schema.ts'

/** An index of a large table, as a migration names it. */
export interface LargeIndex {
  name: string
  /** Table and columns, such as `lead_counts (place, period)`. */
  on: string
}

/**
 * Builds an index on PostgreSQL while rows are written, outside of any transaction; does nothing when it is there. An
 * unfinished index is rebuilt, unless another server is building it.
 */
export async function buildIndex(db: Db, { name, on }: LargeIndex): Promise<void> {
  const { rows } = await sql<{ is_valid: boolean; is_building: boolean }>`
    select indisvalid as is_valid,
      exists (select 1 from pg_stat_progress_create_index where index_relid = indexrelid) as is_building
    from pg_index where indexrelid = to_regclass(${name})`.execute(db)
  const [found] = rows
  if (found?.is_valid || found?.is_building) return
  if (found) await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db)
  await sql`create index concurrently if not exists ${sql.ref(name)} on ${sql.raw(on)}`.execute(db)
}
