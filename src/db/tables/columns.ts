import { type CamelCase, camelCase } from '../../lib/camel-case.ts'

type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''
type Bit<Value> = Value extends boolean ? 0 | 1 : Value

/** A row in the program's naming: `next_attempt_at` is `nextAttemptAt`, and `is_…` and `has_…` are booleans. */
export type FromRow<Row> = {
  [Column in keyof Row as CamelCase<Column>]: Column extends `is_${string}` | `has_${string}`
    ? boolean
    : Row[Column]
}
export type ToRow<Values> = { [Key in keyof Values as SnakeCase<Key>]: Bit<Values[Key]> }

/** Renames the columns of a row. Not for hot paths: it takes some microseconds. */
export function fromRow<Row extends object>(row: Row): FromRow<Row> {
  const cells = Object.entries(row).map(([column, cell]) => [
    camelCase(column),
    /^(?:is|has)_/.test(column) ? cell === 1 : cell,
  ])
  return Object.fromEntries(cells)
}

/** Converts values to columns: `nextAttemptAt` is `next_attempt_at`, and a boolean is 0 or 1. */
export function toRow<Values extends object>(values: Values): ToRow<Values> {
  const cells = Object.entries(values).map(([key, value]) => [
    key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    typeof value === 'boolean' ? Number(value) : value,
  ])
  return Object.fromEntries(cells)
}
