import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { connectDatabase } from '#src/db/connect.ts'
import { withFileLock } from '#src/db/file-lock.ts'
import { migrate } from '#src/db/migrate.ts'
import { atEnd } from './at-end.ts'
import { migratedFingerprint } from './migrated.ts'
import { skipWithout } from './needed-tool.ts'

const SERVER = process.env.TEST_DATABASE_URL

/** True if there is such a server. */
export const hasServer = Boolean(SERVER)

const withoutPostgres = skipWithout(hasServer, 'TEST_DATABASE_URL is not set; .ci/run starts a server')

/** Option for `test` that skips it if there is no server. */
export const needsPostgres = { skip: withoutPostgres }

export interface PostgresDatabase {
  url: string
  /** Opens a connection unknown to the program; closed when the test ends. */
  connect(): Promise<Client>
}

/** Creates a database on that server, empty or with every table, dropped when the test ends. */
export async function postgresDatabase(
  t: TestContext,
  { isMigrated = false } = {},
): Promise<PostgresDatabase> {
  const { url, drop } = await createDatabase({ isMigrated })
  atEnd(t, drop)
  return {
    url,
    async connect() {
      const client = new Client({ connectionString: url })
      await client.connect()
      atEnd(t, () => client.end())
      return client
    },
  }
}

/** Creates a database on that server; the caller drops it. */
export async function createDatabase({ isMigrated }: { isMigrated: boolean }) {
  const template = isMigrated ? await migratedTemplate() : 'template1'
  const name = `signpost_${randomUUID().replaceAll('-', '')}`
  await onServer((admin) => admin.query(`create database ${name} template ${template}`))
  const drop = () => onServer((admin) => admin.query(`drop database ${name} with (force)`))
  return { url: urlOf(name), drop }
}

// Copying one takes a twentieth of the time of migrating. All processes make it once.
async function migratedTemplate(): Promise<string> {
  const name = `signpost_migrated_${migratedFingerprint()}`
  if (await onServer((admin) => isThere(admin, name))) return name
  await withFileLock(join(tmpdir(), 'signpost-test-template.lock'), () =>
    onServer(async (admin) => {
      if (await isThere(admin, name)) return
      await dropOldTemplates(admin)
      const unfinished = `${name}_unfinished`
      await admin.query(`drop database if exists ${unfinished}`)
      await admin.query(`create database ${unfinished}`)
      const db = connectDatabase(urlOf(unfinished))
      await migrate(db).finally(() => db.destroy())
      await admin.query(`alter database ${unfinished} rename to ${name}`)
    }),
  )
  return name
}

async function isThere(admin: Client, name: string): Promise<boolean> {
  return (await admin.query('select 1 from pg_database where datname = $1', [name])).rowCount === 1
}

// Those of other migrations may be in use by another working copy.
async function dropOldTemplates(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(`select datname as name from pg_database
    where starts_with(datname, 'signpost_migrated_')
      and (pg_stat_file('base/' || oid || '/PG_VERSION')).modification < now() - interval '1 day'`)
  for (const { name } of rows) await admin.query(`drop database if exists ${name}`)
}

async function onServer<Result>(work: (admin: Client) => Promise<Result>): Promise<Result> {
  const admin = new Client({ connectionString: SERVER })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

function urlOf(name: string): string {
  if (!SERVER) throw new Error('TEST_DATABASE_URL is not set')
  return Object.assign(new URL(SERVER), { pathname: `/${name}` }).href
}
