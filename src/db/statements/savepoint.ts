import { CompiledQuery } from 'kysely'

/** Returns the statement that marks a point of a transaction. */
export function savepoint(name: string): CompiledQuery {
  return CompiledQuery.raw(`savepoint ${name}`)
}

/** Returns the statement that undoes everything since that point, and keeps the transaction. */
export function rollBackTo(name: string): CompiledQuery {
  return CompiledQuery.raw(`rollback to savepoint ${name}`)
}
