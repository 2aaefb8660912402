import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import {
  type CountedSubject,
  type CountTable,
  listSubjects,
  listYears,
  takeSumsOfSubject,
} from './subjects-store.ts'
import { addSums } from './sum-store.ts'

const BATCH = 1_000

/** Finds the pages and sources with sums that `rename` would change, a few at a time. */
export async function* findSubjects(
  db: Db,
  rename: (subject: string) => string,
  signal?: AbortSignal,
): AsyncGenerator<CountedSubject & { table: CountTable }> {
  for (const part of await listParts(db))
    for await (const subject of subjectsOf(db, part, signal))
      if (rename(subject) !== subject) yield { ...part, subject }
}

type Part = Omit<CountedSubject, 'subject'> & { table: CountTable }

async function listParts(db: Db): Promise<Part[]> {
  const parts: Part[] = []
  for (const table of ['lead_counts', 'traffic_counts'] as const)
    for (const year of await listYears(db, table))
      parts.push({ table, year, dimension: 'page' }, { table, year, dimension: 'source' })
  return parts
}

/**
 * Renames pages and sources in sums, and adds up those that get the same name. Each step is one transaction. Returns the
 * number of changed names.
 */
export async function renameSubjects(
  db: Kysely<Schema>,
  rename: (subject: string) => string,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0
  for await (const { table, ...found } of findSubjects(db, rename, signal)) {
    count += 1
    await db.transaction().execute(async (trx) => {
      const sums = await takeSumsOfSubject(trx, table, found)
      await addSums(
        trx,
        table,
        sums.map((sum) => ({ ...sum, subject: rename(sum.subject) })),
      )
    })
  }
  return count
}

async function* subjectsOf(db: Db, part: Part, signal: AbortSignal | undefined): AsyncGenerator<string> {
  for (let after: string | undefined = ''; after !== undefined && !signal?.aborted; await nextTurn()) {
    const subjects: string[] = await listSubjects(db, part.table, { ...part, after, limit: BATCH })
    yield* subjects
    after = subjects.length === BATCH ? subjects.at(-1) : undefined
  }
}
