import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import { connectDatabase, connectSqlite } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Schema } from '../../src/db/schema.ts'

const INT8 = 20

/** A folder that is removed when the test ends. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
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

/** An empty PostgreSQL inside this process. */
export function openEmptyPglite(t: TestContext): Kysely<Schema> {
  const pglite = new PGlite({ parsers: { [INT8]: Number } })
  return closedAfter(t, new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) }))
}

/** The PostgreSQL server of `TEST_DATABASE_URL`, emptied first. Undefined when there is none. */
export async function openEmptyPostgresServer(t: TestContext): Promise<Kysely<Schema> | undefined> {
  const url = process.env['TEST_DATABASE_URL']
  if (!url) return undefined
  const db = closedAfter(t, connectDatabase(url))
  await db.schema.dropSchema('public').cascade().execute()
  await db.schema.createSchema('public').execute()
  return db
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
  t.after(() => db.destroy())
  return db
}
