import SqliteDatabase from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from 'kysely'
import { Pool, types as postgresTypes } from 'pg'
import type { Schema } from './schema.ts'

const BUSY_TIMEOUT_MS = 5_000
const JOURNAL_LIMIT_BYTES = 64 * 1024 * 1024
const STATEMENT_CACHE = 200

/**
 * Opens `file:PATH` or `postgres://…`. Nothing is migrated. Throws with a clear sentence when the address is of
 * neither form or the database refuses the durability that acknowledged submissions need.
 */
export function connectDatabase(databaseUrl: string): Kysely<Schema> {
  if (databaseUrl.startsWith('file:')) return connectSqlite(databaseUrl.slice('file:'.length))
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) return connectPostgres(databaseUrl)
  throw new Error(`DATABASE_URL is "${databaseUrl}"; expected file:PATH or postgres://…`)
}

export function connectSqlite(path: string): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new DurableSqliteDialect({ database: openSqlite(path) }) })
}

function openSqlite(path: string) {
  const database = new SqliteDatabase(path)
  database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma('trusted_schema = OFF')
  database.pragma(`journal_size_limit = ${JOURNAL_LIMIT_BYTES}`)
  assertPragma(database, 'synchronous', 2)
  assertPragma(database, 'foreign_keys', 1)
  assertPragma(database, 'trusted_schema', 0)
  if (path !== ':memory:') assertPragma(database, 'journal_mode', 'wal')
  return withStatementCache(database)
}

// WAL opens at synchronous=NORMAL, where a power cut loses acknowledged submissions: never trust, read it back.
function assertPragma(database: SqliteDatabase.Database, name: string, expected: string | number) {
  const actual = database.pragma(name, { simple: true })
  if (actual !== expected) throw new Error(`SQLite has ${name}=${actual}; Signpost needs ${expected}`)
}

// Kysely prepares every statement anew; the same few run thousands of times. Statements that iterate stay busy
// between rows, so a cached one is handed out only when it is free.
function withStatementCache(database: SqliteDatabase.Database) {
  const statements = new Map<string, SqliteDatabase.Statement<unknown[]>>()
  return {
    close: () => database.close(),
    prepare(sql: string) {
      const cached = statements.get(sql)
      if (cached && !cached.busy) return asKyselyStatement(cached)
      const statement = database.prepare<unknown[]>(sql)
      if (statements.size >= STATEMENT_CACHE) statements.clear()
      statements.set(sql, statement)
      return asKyselyStatement(statement)
    },
  }
}

function asKyselyStatement(statement: SqliteDatabase.Statement<unknown[]>) {
  return {
    reader: statement.reader,
    all: (parameters: readonly unknown[]) => statement.all(...[parameters as unknown[]]),
    run: (parameters: readonly unknown[]) => statement.run(...[parameters as unknown[]]),
    iterate: (parameters: readonly unknown[]) => statement.iterate(...[parameters as unknown[]]),
  }
}

// A transaction that reads first and writes later would fail at the write when somebody else wrote in between:
// take the write lock at the start. DDL in SQLite is transactional, which Kysely's own adapter does not use.
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

class DurableSqliteDialect extends SqliteDialect {
  readonly #config: ConstructorParameters<typeof SqliteDialect>[0]

  constructor(config: ConstructorParameters<typeof SqliteDialect>[0]) {
    super(config)
    this.#config = config
  }

  override createDriver() {
    return new ImmediateSqliteDriver(this.#config)
  }

  override createAdapter() {
    return new TransactionalSqliteAdapter()
  }
}

function connectPostgres(connectionString: string): Kysely<Schema> {
  const INT8 = 20
  const pool = new Pool({
    connectionString,
    max: 10,
    // The default of the server may have been turned off; an acknowledged submission must be on disk.
    options: '-c synchronous_commit=on -c timezone=UTC',
    types: {
      getTypeParser: (oid, format) =>
        oid === INT8 ? Number : postgresTypes.getTypeParser(oid, format as 'text'),
    },
  })
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}
