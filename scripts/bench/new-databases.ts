import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { connectDatabase } from '../../src/db/connect.ts'

/** Makes empty databases on a PostgreSQL server, calls `work` with their URLs, and drops them. */
export async function withNewDatabases<T>(
  server: string,
  names: readonly string[],
  work: (...urls: string[]) => Promise<T>,
): Promise<T> {
  const databases = names.map((one) => `signpost_bench_${one}_${randomUUID().slice(0, 8)}`)
  const admin = connectDatabase(server)
  const urls = databases.map((name) => Object.assign(new URL(server), { pathname: name }).href)
  try {
    for (const name of databases) await sql`create database ${sql.id(name)}`.execute(admin)
    return await work(...urls)
  } finally {
    for (const name of databases)
      await sql`drop database if exists ${sql.id(name)} with (force)`.execute(admin)
    await admin.destroy()
  }
}
