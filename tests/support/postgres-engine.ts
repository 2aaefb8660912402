import { openAsBlob } from 'node:fs'
import { Kysely } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import type { TestEngine } from './database.ts'
import { migratedCluster } from './migrated.ts'
import { createDatabase, hasServer } from './postgres-database.ts'
import { putRowsBack, readRows, type StoredRows } from './stored-rows.ts'

const INT8 = 20

interface Opened {
  db: Kysely<Schema>
  close(): Promise<void>
}

/**
 * PostgreSQL: a database on the server at TEST_DATABASE_URL, which is faster and has several connections; without a
 * server, PGlite in this process. Either takes a while to start, so one serves a whole test file.
 */
export function postgresEngine(): TestEngine {
  return hasServer ? engineOf('PostgreSQL', openOnServer) : pgliteEngine()
}

/** PGlite, for tests that other transactions on a shared server would affect: the change log looks at all of them. */
export function pgliteEngine(): TestEngine {
  return engineOf('PGlite', openPGlite)
}

async function openOnServer(): Promise<Opened> {
  const { url, drop } = await createDatabase({ isMigrated: true })
  const db = connectDatabase(url)
  return {
    db,
    async close() {
      await db.destroy()
      await drop()
    },
  }
}

async function openPGlite(): Promise<Opened> {
  const { PGlite } = await import('@electric-sql/pglite')
  const { PGliteDialect } = await import('kysely')
  const loadDataDir = await openAsBlob(await migratedCluster())
  const pglite = new PGlite({ parsers: { [INT8]: Number }, loadDataDir })
  const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) })
  return { db, close: () => db.destroy() }
}

/** An engine over a database that is opened with every table by the first test that needs it. */
function engineOf(name: string, open: () => Promise<Opened>): TestEngine {
  let opened: Promise<Opened> | undefined
  let seeds: StoredRows | undefined
  let isNew = true
  async function openEmpty() {
    opened ??= open()
    const { db } = await opened
    seeds = undefined
    isNew = false
    await db.schema.dropSchema('public').cascade().execute()
    await db.schema.createSchema('public').execute()
    return db
  }
  return {
    name,
    openEmpty,
    async openMigrated() {
      opened ??= open()
      const { db } = await opened
      if (seeds) {
        await putRowsBack(db, seeds)
        return db
      }
      if (!isNew) await migrate(await openEmpty())
      isNew = false
      seeds = await readRows(db)
      return db
    },
    close: async () => (await opened)?.close(),
  }
}
