import { type Kysely, sql } from 'kysely'
import { connectDatabase } from './connect.ts'
import { engineOf } from './dialects.ts'
import type { Db, Schema } from './schema.ts'

/** A separate connection with a consistent snapshot of the database. */
export interface Snapshot extends AsyncDisposable {
  db: Db
}

/**
 * Opens a snapshot in this process, and the same one in others: `join` gets what `joinSnapshot` needs there, and
 * resolves when they have it.
 */
export async function openSharedSnapshot(
  databaseUrl: string,
  join: (token: string) => Promise<unknown>,
): Promise<Snapshot> {
  const db = connectDatabase(databaseUrl)
  try {
    return engineOf(db) === 'sqlite'
      ? await shareSqlite(db, databaseUrl, join)
      : await sharePostgres(db, join)
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Opens the snapshot that another process holds open. */
export async function joinSnapshot(databaseUrl: string, token: string): Promise<Snapshot> {
  const db = connectDatabase(databaseUrl)
  return engineOf(db) === 'sqlite' ? readSqlite(db) : (await readPostgres(db, token)).snapshot
}

// SQLite cannot hand over a snapshot. While one connection holds the write lock, nothing changes, so everyone who
// starts reading then reads the same.
async function shareSqlite(
  db: Kysely<Schema>,
  databaseUrl: string,
  join: (token: string) => Promise<unknown>,
) {
  await using lock = connectDatabase(databaseUrl)
  return await lock.transaction().execute(async () => {
    const snapshot = await readSqlite(db)
    await join('')
    return snapshot
  })
}

async function readSqlite(db: Kysely<Schema>): Promise<Snapshot> {
  await sql`begin`.execute(db)
  // The snapshot is taken by the first read.
  await sql`select 1 from settings limit 1`.execute(db)
  return { db, [Symbol.asyncDispose]: () => db.destroy() }
}

async function sharePostgres(db: Kysely<Schema>, join: (token: string) => Promise<unknown>) {
  const { snapshot, trx } = await readPostgres(db)
  try {
    const exported = await sql<{ token: string }>`select pg_export_snapshot() as token`.execute(trx)
    await join(exported.rows[0]?.token ?? '')
    return snapshot
  } catch (error) {
    await snapshot[Symbol.asyncDispose]()
    throw error
  }
}

async function readPostgres(db: Kysely<Schema>, token?: string) {
  const trx = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  // The pool ends only after its last transaction.
  async function close() {
    await trx.rollback().execute()
    await db.destroy()
  }
  try {
    if (token !== undefined) await sql`set transaction snapshot ${sql.lit(token)}`.execute(trx)
  } catch (error) {
    await close()
    throw error
  }
  return { trx, snapshot: { db: trx, [Symbol.asyncDispose]: close } satisfies Snapshot }
}
