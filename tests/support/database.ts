import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Kysely } from 'kysely'
import { connectSqlite } from '#src/db/connect.ts'
import type { Schema } from '#src/db/schema.ts'
import { atEnd } from './at-end.ts'
import { migratedSqlite } from './migrated.ts'
import { TEMPORARY_ROOT } from './temporary-root.ts'

/** An engine that provides an empty database on each request, so that the same tests run on several. */
export interface TestEngine {
  /** The engine's name in test names: `SQLite`. */
  name: string
  /** Provides an empty database and discards the previous one. */
  openEmpty(): Promise<Kysely<Schema>>
  /**
   * Does the same with every table and the rows from migrations. Tests that change tables need a database of their
   * own.
   */
  openMigrated(): Promise<Kysely<Schema>>
  close(): Promise<void>
}

/** Creates a folder that is deleted when the test ends. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(TEMPORARY_ROOT, 'signpost-test-'))
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Creates a migrated SQLite database in its own file. */
export async function openTestDatabase(t: TestContext): Promise<Kysely<Schema>> {
  const path = join(temporaryFolder(t), 'signpost.db')
  await copyMigrated(path)
  return closedAfter(t, connectSqlite(path))
}

/** Writes a migrated SQLite database file there, readable only by its owner, like the program does. */
export async function copyMigrated(path: string): Promise<void> {
  copyFileSync(await migratedSqlite(), path)
  chmodSync(path, 0o600)
}

/** Creates an empty SQLite database in its own file. */
export function openEmptySqlite(t: TestContext): Kysely<Schema> {
  return closedAfter(t, connectSqlite(join(temporaryFolder(t), 'signpost.db')))
}

/** SQLite, each database in its own file. */
export function sqliteEngine(): TestEngine {
  const folder = mkdtempSync(join(TEMPORARY_ROOT, 'signpost-test-'))
  const path = join(folder, 'signpost.db')
  let opened: Kysely<Schema> | undefined
  async function closeLast() {
    await opened?.destroy()
    opened = undefined
    rmSync(folder, { recursive: true, force: true })
  }
  async function openNext(prepare: () => Promise<void> | void) {
    await closeLast()
    mkdirSync(folder)
    await prepare()
    opened = connectSqlite(path)
    return opened
  }
  return {
    name: 'SQLite',
    openEmpty: () => openNext(() => undefined),
    openMigrated: () => openNext(() => copyMigrated(path)),
    close: closeLast,
  }
}

function closedAfter(t: TestContext, db: Kysely<Schema>) {
  atEnd(t, () => db.destroy())
  return db
}

/** Wraps the database so that something runs before each statement that starts with this text. */
export function doBefore(
  db: Kysely<Schema>,
  beginning: string,
  work: () => Promise<unknown>,
): Kysely<Schema> {
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => result,
  })
  const executor = watched.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  executor.executeQuery = async (query) => {
    if (query.sql.startsWith(beginning)) await work()
    return execute(query)
  }
  return watched
}
