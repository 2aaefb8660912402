import { copyFileSync, existsSync, mkdtempSync, openAsBlob, rmSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import { connectDatabase, connectSqlite } from '../../src/db/connect.ts'
import { withFileLock } from '../../src/db/file-lock.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Schema } from '../../src/db/schema.ts'
import { atEnd } from './at-end.ts'

const INT8 = 20
// Installing packages anew removes it.
const CLUSTER = join(import.meta.dirname, '../../node_modules/.cache/pglite-cluster.tar')

/** One way to run the same tests: an engine that gives an empty database as often as one is asked for. */
export interface TestEngine {
  /** Names the engine in test names: `SQLite`. */
  name: string
  /** An empty database. On a shared server the one that was given before is gone. */
  openEmpty(): Promise<Kysely<Schema>>
  close(): Promise<void>
}

/** A folder that is removed when the test ends. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-test-'))
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A migrated SQLite database in a file of its own. */
export async function openTestDatabase(t: TestContext): Promise<Kysely<Schema>> {
  const path = join(temporaryFolder(t), 'signpost.db')
  copyFileSync(await migratedTemplate(), path)
  return closedAfter(t, connectSqlite(path))
}

/** An empty SQLite database in a file of its own. */
export function openEmptySqlite(t: TestContext): Kysely<Schema> {
  return closedAfter(t, connectSqlite(join(temporaryFolder(t), 'signpost.db')))
}

/** SQLite, each database in a file of its own. */
export function sqliteEngine(): TestEngine {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-test-'))
  const opened: Kysely<Schema>[] = []
  return {
    name: 'SQLite',
    async openEmpty() {
      const db = connectSqlite(join(folder, `${opened.length}.db`))
      opened.push(db)
      return db
    },
    async close() {
      await Promise.all(opened.map((db) => db.destroy()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL inside this process. It takes a second to start: one for a test file. */
export function pgliteEngine(): TestEngine {
  return serverEngine('PGlite', new Kysely<Schema>({ dialect: new PGliteDialect({ pglite: startPGlite }) }))
}

// Most of its start is making the files of an empty cluster: they are made once for all test files.
async function startPGlite(): Promise<PGlite> {
  await withFileLock(`${CLUSTER}.lock`, async () => {
    if (!existsSync(CLUSTER)) await makeCluster()
  })
  return new PGlite({ parsers: { [INT8]: Number }, loadDataDir: await openAsBlob(CLUSTER) })
}

async function makeCluster() {
  const pglite = await PGlite.create()
  const files = await pglite.dumpDataDir('none')
  await pglite.close()
  await writeFile(`${CLUSTER}.unfinished`, files.stream())
  await rename(`${CLUSTER}.unfinished`, CLUSTER)
}

/** The PostgreSQL server at this address. Its tables are dropped. */
export function postgresEngine(url: string): TestEngine {
  return serverEngine('PostgreSQL', connectDatabase(url))
}

function serverEngine(name: string, db: Kysely<Schema>): TestEngine {
  return {
    name,
    async openEmpty() {
      await db.schema.dropSchema('public').cascade().execute()
      await db.schema.createSchema('public').execute()
      return db
    },
    close: () => db.destroy(),
  }
}

let template: Promise<string> | undefined

// One migrated file for the whole process; each test gets a copy.
function migratedTemplate(): Promise<string> {
  template ??= makeTemplate()
  return template
}

async function makeTemplate() {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'template.db')
  const db = connectSqlite(path)
  await migrate(db)
  await db.destroy()
  return path
}

function closedAfter(t: TestContext, db: Kysely<Schema>) {
  atEnd(t, () => db.destroy())
  return db
}
