import { setTimeout as delay } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { Failure } from '../lib/messages.ts'
import { problemTexts } from '../messages/command-line/problems.ts'
import { fileProblem } from './connection-problem.ts'
import { UNHURRIED } from './deadlines.ts'
import { postgresDialect } from './postgres/postgres-dialect.ts'
import type { PoolOptions } from './postgres/postgres-pool.ts'
import { makePrivateFile } from './private-file.ts'
import type { Schema } from './schema.ts'

/** Time that a statement waits for another process. */
export const WAIT_FOR_DATABASE_MS = 5_000
const LOCK_POLL_MS = 5
const NEVER_NOTIFIED = new Int32Array(new SharedArrayBuffer(4))
const SAME_LOCK_MS = 1_000
const POSTGRES_CONNECTIONS = 10
const STATEMENT_CACHE = 200
// SQLite's name for a database without a file; it has no write-ahead log and is refused for that.
const IN_MEMORY = ':memory:'

// WAL starts with synchronous=NORMAL, where a power failure loses acknowledged submissions: FULL is 2.
const PRAGMAS = {
  busy_timeout: WAIT_FOR_DATABASE_MS,
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  trusted_schema: 0,
  // Overwrites deleted data, which would otherwise stay in the file until the space is used again.
  secure_delete: 1,
  journal_size_limit: 64 * 1024 * 1024,
}

/**
 * Opens `file:PATH` or `postgres://…` without migrating. The options are for PostgreSQL; without them, the deadlines
 * are those of a command. Throws with a clear sentence when the address has neither form, or the database refuses the
 * durability that acknowledged submissions need.
 */
export function connectDatabase(
  databaseUrl: string,
  { deadlines = UNHURRIED, maxConnections = POSTGRES_CONNECTIONS, signal }: Partial<PoolOptions> = {},
): Kysely<Schema> {
  if (databaseUrl.startsWith('file:')) return connectSqlite(databaseUrl.slice('file:'.length))
  if (/^postgres(ql)?:\/\//.test(databaseUrl))
    return new Kysely<Schema>({
      dialect: postgresDialect(databaseUrl, { deadlines, maxConnections, signal }),
    })
  throw new Failure(problemTexts, 'databaseUrlInvalid')
}

/** Opens the file, or creates it. Every connection has the same pragmas, which are read back after they are set. */
export function connectSqlite(path: string): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: sqliteDialect(openSqlite(path)) })
}

function openSqlite(path: string) {
  const database = openFile(path)
  for (const [name, value] of Object.entries(PRAGMAS)) assertPragma(database, name, value)
  return database
}

function openFile(path: string) {
  try {
    if (path !== IN_MEMORY) makePrivateFile(path)
    const database = new SqliteDatabase(path)
    for (const [name, value] of Object.entries(PRAGMAS)) setPragma(database, `${name} = ${value}`)
    return database
  } catch (error) {
    throw fileProblem(error, path)
  }
}

// SQLite does not wait to switch a new file to WAL while another program starts to write to it.
function setPragma(database: SqliteDatabase.Database, pragma: string) {
  const giveUpAt = performance.now() + WAIT_FOR_DATABASE_MS
  for (;;) {
    try {
      return database.pragma(pragma)
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY' || performance.now() > giveUpAt) throw error
      Atomics.wait(NEVER_NOTIFIED, 0, 0, LOCK_POLL_MS)
    }
  }
}

function assertPragma(database: SqliteDatabase.Database, name: string, expected: string | number) {
  const actual = database.pragma(name, { simple: true })
  if (actual === expected) return
  database.close()
  throw new Failure(problemTexts, 'pragmaWrong', name, actual, database.name, expected)
}

function sqliteDialect(database: SqliteDatabase.Database): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new ImmediateSqliteDriver(database),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

// DDL in SQLite is transactional, which Kysely's own adapter does not use.
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

// A transaction that reads first and writes later would fail at the write when someone else wrote in between:
// take the write lock at the start. SQLite's own waiting stops the whole process, visitors included, so while
// another process holds the lock this one asks again and again between other work. Transactions come one after the
// other: those that waited for the first one's five seconds do not wait five more each.
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #database: SqliteDatabase.Database
  #lockedSince = 0
  #lockedAt = Number.NEGATIVE_INFINITY

  constructor(database: SqliteDatabase.Database) {
    super({ database: withStatementCache(database) })
    this.#database = database
  }

  // SQLite itself rolls back when the disk is full; a second rollback would fail and hide the reason.
  override async rollbackTransaction(connection: DatabaseConnection) {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection)
  }

  override async beginTransaction(connection: DatabaseConnection) {
    while (!(await this.#tryBegin(connection))) await delay(LOCK_POLL_MS)
  }

  async #tryBegin(connection: DatabaseConnection): Promise<boolean> {
    await connection.executeQuery(CompiledQuery.raw('pragma busy_timeout = 0'))
    try {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'))
      this.#lockedAt = Number.NEGATIVE_INFINITY
      return true
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY' || this.#isLockedTooLong()) throw error
      return false
    } finally {
      await connection.executeQuery(CompiledQuery.raw(`pragma busy_timeout = ${WAIT_FOR_DATABASE_MS}`))
    }
  }

  // No one checked for a second, so the lock may have been free in between.
  #isLockedTooLong(): boolean {
    const now = performance.now()
    if (now - this.#lockedAt > SAME_LOCK_MS) this.#lockedSince = now
    this.#lockedAt = now
    return now - this.#lockedSince > WAIT_FOR_DATABASE_MS
  }
}

// Kysely prepares every statement again, which takes most of the time of a small one: an insert takes 62 µs instead of
// 167, a lookup by slug 23 instead of 82. It gives the connection to one query at a time, so a statement that streams
// its rows is never reused before its last row.
function withStatementCache(database: SqliteDatabase.Database) {
  const prepare = (sql: string) => database.prepare<[readonly unknown[]]>(sql)
  const statements = new Map<string, ReturnType<typeof prepare>>()
  return {
    close: () => database.close(),
    prepare(sql: string) {
      const cached = statements.get(sql)
      if (cached) return cached
      const statement = prepare(sql)
      if (statements.size >= STATEMENT_CACHE) statements.clear()
      statements.set(sql, statement)
      return statement
    },
  }
}
