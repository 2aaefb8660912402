import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { LiveHeader } from './live-files.ts'

/** Release whose rows a copy has. SQLite only, like everything here. */
export interface Filled extends LiveHeader {
  /** Size of what was read of the file with the rows. */
  bytes: number
}

/** Adds the table for what the functions below read and save. */
export async function addFilled(copy: Db): Promise<void> {
  await sql`create table live_release (filled text not null)`.execute(copy)
}

/** Returns the release; undefined for an empty copy. */
export async function readFilled(copy: Db): Promise<Filled | undefined> {
  const { rows } = await sql<{ filled: string }>`select filled from live_release`.execute(copy)
  return rows[0] && JSON.parse(rows[0].filled)
}

/** Records the release. */
export async function saveFilled(copy: Db, filled: Filled): Promise<void> {
  await sql`delete from live_release`.execute(copy)
  await sql`insert into live_release values (${JSON.stringify(filled)})`.execute(copy)
}

/** Moves all rows from the log into the database file itself. */
export async function emptyLog(copy: Db): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(copy)
}
