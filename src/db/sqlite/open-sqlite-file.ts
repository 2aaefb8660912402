import SqliteDatabase from 'better-sqlite3'
import { fileProblem } from '../connection-problem.ts'
import { makePrivateFile } from '../private-file.ts'

const PRAGMAS = ['busy_timeout = 5000', 'journal_mode = wal', 'synchronous = full', 'trusted_schema = off']
// Other processes report it by its message alone.
const DAMAGED = /database disk image is malformed|file is not a database/

/** A SQLite file beside the database. Its statements block: nothing that a visitor waits for uses it. */
export type SqliteFile = SqliteDatabase.Database & Disposable

/** Opens the file, and creates it unless `isReadOnly`. Commits are on disk. */
export function openSqliteFile(path: string, { isReadOnly = false } = {}): SqliteFile {
  if (!isReadOnly && path !== ':memory:') makePrivateFile(path)
  try {
    const file = new SqliteDatabase(path, { readonly: isReadOnly })
    if (!isReadOnly) for (const pragma of PRAGMAS) file.pragma(pragma)
    return closedAfterUse(file)
  } catch (error) {
    throw fileProblem(error, path)
  }
}

/** Opens the bytes of a SQLite file, which stay in memory. */
export function openSqliteBytes(bytes: Buffer): SqliteFile {
  return closedAfterUse(new SqliteDatabase(bytes))
}

/** Lets `using` close the file at the end of a block. */
export function closedAfterUse(file: SqliteDatabase.Database): SqliteFile {
  return Object.assign(file, { [Symbol.dispose]: () => void file.close() })
}

/** Returns whether an error says that a SQLite file was cut short or overwritten. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && (DAMAGED.test(error.message) || isDamage(error.cause))
}
