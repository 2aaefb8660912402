import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { atEnd } from './at-end.ts'
import { skipWithout } from './needed-tool.ts'

const SERVER = process.env.TEST_DATABASE_URL

const withoutPostgres = skipWithout(Boolean(SERVER), 'TEST_DATABASE_URL is not set; .ci/run starts a server')

/** For `test`: skips it where there is no server. */
export const needsPostgres = { skip: withoutPostgres }

export interface PostgresDatabase {
  url: string
  /** Opens a connection that the program knows nothing of; closed when the test ends. */
  connect(): Promise<Client>
}

/** An empty database of its own on that server, dropped when the test ends. */
export async function postgresDatabase(t: TestContext): Promise<PostgresDatabase> {
  if (!SERVER) throw new Error('TEST_DATABASE_URL is not set')
  const name = `signpost_${randomUUID().replaceAll('-', '')}`
  const admin = new Client({ connectionString: SERVER })
  await admin.connect()
  await admin.query(`create database ${name}`)
  atEnd(t, async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  const url = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href
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
