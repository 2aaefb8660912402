import { sql } from 'kysely'
import { engineOf } from './dialects.ts'
import type { Db } from './schema.ts'

/** Number of removals, and the last one after which parts of the SQLite file were cleaned. */
export interface Removals {
  removed: number
  /** The search index contains no words of these. */
  wordsCleaned: number
  /** The file was rewritten since these. */
  rewritten: number
}

/** Undefined on PostgreSQL, which cleans up automatically. */
export async function findRemovals(db: Db): Promise<Removals | undefined> {
  if (engineOf(db) !== 'sqlite') return undefined
  const { rows } = await sql<Removals>`
    select removed, words_cleaned as "wordsCleaned", rewritten from removals`.execute(db)
  return rows[0]
}

/** Records that the search index contains no words of this many first removals. */
export async function setWordsCleaned(db: Db, removed: number): Promise<void> {
  await sql`update removals set words_cleaned = ${removed}`.execute(db)
}

/** Records the number of removals after which the file was rewritten. */
export async function setRewritten(db: Db, removed: number): Promise<void> {
  await sql`update removals set rewritten = ${removed}`.execute(db)
}

/** Counts a removal that no trigger sees, such as of a text in a row; returns how many there were. Undefined on PostgreSQL. */
export async function countRemoval(db: Db): Promise<number | undefined> {
  if (engineOf(db) !== 'sqlite') return undefined
  await sql`update removals set removed = removed + 1`.execute(db)
  return (await findRemovals(db))?.removed
}
