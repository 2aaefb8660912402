import { openAsBlob } from 'node:fs'
import { after } from 'node:test'
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
  /** The rows that migrations put in; not there before the first test, or when a test has changed the tables. */
  seeds: StoredRows | undefined
  close(): Promise<void>
}

// PGlite takes half a second of a processor to start: what one test file leaves with every table, the next one gets.
const spares: Opened[] = []
let isOver = false

// A file that runs alone closes its engine afterwards. A database that stays open keeps the process alive.
after(() => {
  isOver = true
  return Promise.all(spares.map(({ db }) => db.destroy()))
})

/**
 * PostgreSQL: a database on the server at TEST_DATABASE_URL, which is faster and has several connections; without a
 * server, PGlite in this process. Either takes a while to start, so one serves a whole test file.
 */
export function postgresEngine(): TestEngine {
  return hasServer ? engineOf('PostgreSQL', openOnServer) : pgliteEngine()
}

/** PGlite, for tests that other transactions on a shared server would affect: the change log looks at all of them. */
export function pgliteEngine(): TestEngine {
  return engineOf('PGlite', async () => spares.pop() ?? (await openPGlite()))
}

async function openOnServer(): Promise<Opened> {
  const { url, drop } = await createDatabase({ isMigrated: true })
  const db = connectDatabase(url)
  return {
    db,
    seeds: undefined,
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
  const opened: Opened = {
    db,
    seeds: undefined,
    async close() {
      if (opened.seeds && !isOver) spares.push(opened)
      else await db.destroy()
    },
  }
  return opened
}

/** An engine over a database that is opened with every table by the first test that needs it. */
function engineOf(name: string, open: () => Promise<Opened>): TestEngine {
  let opening: Promise<Opened> | undefined
  let isNew = true
  async function openEmpty() {
    opening ??= open()
    const opened = await opening
    opened.seeds = undefined
    isNew = false
    await opened.db.schema.dropSchema('public').cascade().execute()
    await opened.db.schema.createSchema('public').execute()
    return opened.db
  }
  return {
    name,
    openEmpty,
    async openMigrated() {
      opening ??= open()
      const opened = await opening
      if (opened.seeds) {
        await putRowsBack(opened.db, opened.seeds)
        return opened.db
      }
      if (!isNew) await migrate(await openEmpty())
      isNew = false
      opened.seeds = await readRows(opened.db)
      return opened.db
    },
    close: async () => (await opening)?.close(),
  }
}
