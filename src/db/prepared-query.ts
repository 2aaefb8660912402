import type { CompiledQuery, QueryResult } from 'kysely'
import { type Engine, engineOf } from './dialects.ts'
import type { Db } from './schema.ts'

const LARGEST_GROUP = 64

/** Runs a prepared query; `rows` is how many rows its text has room for, 1 unless given. */
export type PreparedQuery<Row> = (
  db: Db,
  parameters: readonly unknown[],
  rows?: number,
) => Promise<QueryResult<Row>>

/**
 * A query of a hot path: `build` makes its text once for each engine and number of rows, with any values; every run
 * brings its own parameters, in the order they have in the text. Making the text takes as long as running it.
 */
export function prepareQuery<Row>(build: (db: Db, rows: number) => CompiledQuery<Row>): PreparedQuery<Row> {
  const built = new Map<string, CompiledQuery<Row>>()
  return (db, parameters, rows = 1) => {
    const key = keyOf(engineOf(db), rows)
    const query = built.get(key) ?? build(db, rows)
    built.set(key, query)
    if (query.parameters.length !== parameters.length)
      throw new Error(`${parameters.length} parameters for: ${query.sql}`)
    return db.executeQuery({ ...query, parameters })
  }
}

/** The rows in groups of 64, 32, 16 … 1: seven statements serve every number of rows. */
export function inGroups<Row>(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = []
  let start = 0
  for (let size = LARGEST_GROUP; size >= 1; size /= 2) {
    for (; rows.length - start >= size; start += size) groups.push(rows.slice(start, start + size))
  }
  return groups
}

function keyOf(engine: Engine, rows: number): string {
  return `${engine} ${rows}`
}
