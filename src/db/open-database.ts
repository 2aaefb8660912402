import type { Kysely } from 'kysely'
import { Failure } from '../lib/messages.ts'
import { problemTexts } from '../messages/command-line/problems.ts'
import { connectDatabase } from './connect.ts'
import { MIGRATING, PATIENT, PROMPT } from './deadlines.ts'
import { tryFileLock } from './file-lock.ts'
import { migrate } from './migrate.ts'
import type { Schema } from './schema.ts'

/** The share of the connections for the admin; the rest is for visitors and outboxes. */
const PATIENT_SHARE = 0.4

/** An open, migrated database. */
export interface OpenDatabase {
  /** Waits as the admin may. */
  db: Kysely<Schema>
  /** Waits as visitors may; for SQLite, which has one connection, the same as `db`. */
  promptDb: Kysely<Schema>
  /** Aborts the queries of `db`, which may take long. */
  breakOff(): void
  close(): Promise<void>
}

/**
 * Migrates the database and opens it for a server. On PostgreSQL visitors have connections that the admin cannot keep
 * busy. Throws when another server uses the same SQLite file.
 */
export async function openDatabase({
  databaseUrl,
  databasePool,
}: {
  databaseUrl: string
  /** Maximum number of connections to PostgreSQL. */
  databasePool: number
}): Promise<OpenDatabase> {
  if (databaseUrl.startsWith('file:')) return openSqlite(databaseUrl)
  const migrating = connectDatabase(databaseUrl, { deadlines: MIGRATING })
  await migrate(migrating).finally(() => migrating.destroy())
  const patientConnections = Math.floor(databasePool * PATIENT_SHARE)
  const breaking = new AbortController()
  const db = connectDatabase(databaseUrl, {
    deadlines: PATIENT,
    maxConnections: patientConnections,
    signal: breaking.signal,
  })
  const promptDb = connectDatabase(databaseUrl, {
    deadlines: PROMPT,
    maxConnections: databasePool - patientConnections,
  })
  return {
    db,
    promptDb,
    breakOff: () => breaking.abort(),
    async close() {
      await Promise.all([db.destroy(), promptDb.destroy()])
    },
  }
}

async function openSqlite(databaseUrl: string): Promise<OpenDatabase> {
  const unlock = lockServer(databaseUrl)
  const db = connectDatabase(databaseUrl)
  await migrate(db)
  return {
    db,
    promptDb: db,
    breakOff() {},
    async close() {
      await db.destroy()
      unlock()
    },
  }
}

// Two servers on one SQLite file would resume each other's deliveries; PostgreSQL supports several.
function lockServer(databaseUrl: string): () => void {
  const unlock = tryFileLock(`${databaseUrl.slice('file:'.length)}.server`)
  if (unlock) return unlock
  throw new Failure(problemTexts, 'serverRuns')
}
