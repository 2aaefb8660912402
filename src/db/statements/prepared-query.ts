import { type CompiledQuery, type QueryResult, type RawBuilder, type SqlBool, sql } from 'kysely'
import { engineOf } from '../dialects.ts'
import type { Db } from '../schema.ts'

const LARGEST_GROUP = 64

/**
 * Placeholder for a named value in a prepared query. A list has one for each item, and a list of rows one for each
 * column.
 */
export type At<Values> = <Name extends keyof Values>(name: Name) => Values[Name]

/** Runs a prepared query with these values. */
export type PreparedQuery<Values, Row> = (db: Db, values: Values) => Promise<QueryResult<Row>>

class Placeholder<Values> {
  readonly read: (values: Values) => unknown

  constructor(read: (values: Values) => unknown) {
    this.read = read
  }
}

/**
 * A query of a hot path: `build` makes its text once for each engine and shape of the values, with `at(name)` in place
 * of the values. Building the text takes as long as running it.
 */
export function prepareQuery<Values extends object, Row>(
  build: (db: Db, at: At<Values>) => CompiledQuery<Row>,
): PreparedQuery<Values, Row> {
  const built = new Map<string, CompiledQuery<Row>>()
  return (db, values) => {
    const key = `${engineOf(db)} ${shapeOf(values)}`
    const query = built.get(key) ?? build(db, placeholdersFor(values))
    built.set(key, query)
    const parameters = query.parameters.map((one) => (one instanceof Placeholder ? one.read(values) : one))
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

/** IDs of a prepared query: a list, or on PostgreSQL all of them as one array. */
export type IdGroup = number[] | string

/** The IDs in as many groups as `isAmong` needs statements: one on PostgreSQL. */
export function idGroups(db: Db, ids: readonly number[]): IdGroup[] {
  if (engineOf(db) === 'sqlite' || ids.length === 0) return inGroups(ids)
  return [`{${ids.join()}}`]
}

/** Is true for the IDs of a group. */
export function isAmong(column: string, group: IdGroup): RawBuilder<SqlBool> {
  const ids = Array.isArray(group) ? sql`(${sql.join(group)})` : sql`any(${group}::bigint[])`
  return Array.isArray(group) ? sql`${sql.ref(column)} in ${ids}` : sql`${sql.ref(column)} = ${ids}`
}

// The text depends on the names, and the lengths of lists. In a list of rows all have the keys of the first.
function shapeOf(value: unknown): string {
  if (isSingle(value)) return ''
  if (Array.isArray(value)) return `${value.length}${shapeOf(value[0])}`
  return `{${Object.entries(value).map(([key, part]) => key + shapeOf(part))}}`
}

function isSingle(value: unknown): value is string | number | null | undefined | Uint8Array {
  return typeof value !== 'object' || value === null || value instanceof Uint8Array
}

function placeholdersFor<Values extends object>(example: Values): At<Values> {
  type Read = (values: Values) => unknown
  const standIn = (value: unknown, read: Read): unknown => {
    if (isSingle(value)) return new Placeholder(read)
    const within = (key: string): [string, unknown] => [
      key,
      standIn(Reflect.get(value, key), (values) => Reflect.get(read(values) as object, key)),
    ]
    const parts = Object.keys(value).map(within)
    return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts)
  }
  // Kysely treats a placeholder like the value.
  return (name) => standIn(example[name], (values) => values[name]) as Values[typeof name]
}
