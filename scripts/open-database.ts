import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { connectDatabase } from '../src/db/connect.ts'
import { hasNoDatabase, refuseOtherRevision, refuseWithoutDatabase } from '../src/db/current-database.ts'
import { type Deadlines, UNHURRIED } from '../src/db/deadlines.ts'
import { migrate } from '../src/db/migrate.ts'
import type { Schema } from '../src/db/schema.ts'

/** Opens the database for one piece of work and closes it after. */
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

/** The same to look only: where there is no database yet none is made, and `work` gets an empty one that is thrown away. */
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

/** The same where it has to be of this program's revision: throws when migrations are pending, or it is newer. */
export async function withCurrentDatabase(
  databaseUrl: string,
  work: (db: Kysely<Schema>) => Promise<void>,
): Promise<void> {
  await withDatabase(databaseUrl, async (db) => {
    await refuseOtherRevision(db, 'this command')
    await work(db)
  })
}

/** The same where there has to be one: throws when there is none yet. */
export async function withExistingDatabase(
  databaseUrl: string,
  work: (db: Kysely<Schema>) => Promise<void>,
): Promise<void> {
  refuseWithoutDatabase(databaseUrl)
  await withCurrentDatabase(databaseUrl, work)
}

/** The same for a dry run: where there is no database yet, of one that is migrated. */
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

/** Of a command that has a dry run: the database, migrated, or for a dry run as `withUntouchedDatabase` opens it. */
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
