import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { connectDatabase } from '../src/db/connect.ts'
import { hasNoDatabase, refuseOtherRevision, refuseWithoutDatabase } from '../src/db/current-database.ts'
import { type Deadlines, UNHURRIED } from '../src/db/deadlines.ts'
import { migrate } from '../src/db/migrate.ts'
import type { Schema } from '../src/db/schema.ts'

/** Opens the database for one task and closes it afterwards. */
export async function withDatabase(
  databaseUrl: string,
  work: (db: Kysely<Schema>) => Promise<void>,
  deadlines: Deadlines = UNHURRIED,
): Promise<void> {
  const db = connectDatabase(databaseUrl, { deadlines })
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}

/**
 * Does the same for reading only: if there is no database, none is created, and `work` gets an empty temporary one.
 */
export async function withDatabaseAsItIs(
  databaseUrl: string,
  work: (db: Kysely<Schema>) => Promise<void>,
): Promise<void> {
  if (!hasNoDatabase(databaseUrl)) return withDatabase(databaseUrl, work)
  const folder = await mkdtemp(join(tmpdir(), 'signpost-no-database-'))
  try {
    await withDatabase(`file:${join(folder, 'signpost.db')}`, work)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Does the same, but requires this program's revision: throws if migrations are pending or the database is newer. */
export async function withCurrentDatabase(
  databaseUrl: string,
  work: (db: Kysely<Schema>) => Promise<void>,
): Promise<void> {
  await withDatabase(databaseUrl, async (db) => {
    await refuseOtherRevision(db, 'this command')
    await work(db)
  })
}

/** Does the same, but throws if there is no database. */
export async function withExistingDatabase(
  databaseUrl: string,
  work: (db: Kysely<Schema>) => Promise<void>,
): Promise<void> {
  refuseWithoutDatabase(databaseUrl)
  await withCurrentDatabase(databaseUrl, work)
}

/** Does the same for a dry run: if there is no database, `work` gets a migrated temporary one. */
export async function withUntouchedDatabase(
  databaseUrl: string,
  work: (db: Kysely<Schema>) => Promise<void>,
): Promise<void> {
  const isNew = hasNoDatabase(databaseUrl)
  await withDatabaseAsItIs(databaseUrl, async (db) => {
    if (isNew) await migrate(db)
    await refuseOtherRevision(db, 'a dry run')
    await work(db)
  })
}

/** For a command with a dry run: opens the database migrated, or for a dry run like `withUntouchedDatabase`. */
export async function withMigratedDatabase(
  databaseUrl: string,
  { isDryRun }: { isDryRun: boolean },
  work: (db: Kysely<Schema>) => Promise<void>,
): Promise<void> {
  if (isDryRun) return withUntouchedDatabase(databaseUrl, work)
  await withDatabase(databaseUrl, async (db) => {
    await migrate(db)
    await work(db)
  })
}
