// SQLite's primary result codes for a storage that cannot accept a write now.
const SQLITE_FAILURE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL)/
// PostgreSQL's classes: connection, transaction rolled back, resources, operator intervention, system error, lock; a
// statement or an idle transaction that took too long; and a standby, which is read-only.
const POSTGRES_FAILURE = /^(08...|40...|53...|57P..|57014|58...|55P03|25P0[34]|25006)$/
const NETWORK =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|E(HOST|NET)DOWN)$/
// File system errors: full, broken, read-only, or out of handles.
const FILE_SYSTEM = /^(ENOSPC|EDQUOT|EIO|EROFS|EACCES|EPERM|EMFILE|ENFILE|ENOMEM)$/
// Those after which the server closes the connection. `pg` learns of that only from the last packet.
const ENDS_CONNECTION = /^(08...|57P0.|25P0[34])$/
// Errors of `pg` and its pool without a code; the last occurs within a transaction whose connection has ended.
const WITHOUT_CODE =
  /^(Connection terminated|timeout exceeded when|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Postgres connection has been discarded)/
const CONSTRAINT = /^(SQLITE_CONSTRAINT.*|23...)$/

/** Returns whether the storage as a whole failed (locked, full, unavailable), so that the same write may work later. */
export function isStorageFailure(error: unknown): boolean {
  const code = codeOf(error)
  if (SQLITE_FAILURE.test(code) || POSTGRES_FAILURE.test(code)) return true
  if (NETWORK.test(code) || FILE_SYSTEM.test(code)) return true
  return error instanceof Error && WITHOUT_CODE.test(error.message)
}

/** Returns whether the PostgreSQL server closes the connection after this failure. */
export function endsConnection(error: unknown): boolean {
  return ENDS_CONNECTION.test(codeOf(error))
}

/** Returns whether a row was refused by a constraint of its table, such as a reference to a missing row. */
export function isConstraintViolation(error: unknown): boolean {
  return CONSTRAINT.test(codeOf(error))
}

/** The code of a failure, such as `SQLITE_BUSY`, `57014` or `ECONNRESET`; empty when it has none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
