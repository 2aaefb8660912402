import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { connectDatabase } from '../../../src/db/connect.ts'
import type { Schema } from '../../../src/db/schema.ts'
import { isStorageFailure } from '../../../src/db/storage-failure.ts'

/** What every connection to the PostgreSQL server at this address promises. */
export function testPostgresConnection(url: string) {
  describe('connections to PostgreSQL', () => {
    test('a commit waits for the disk, even where the address says it should not', async (t) => {
      const db = connect(t, `${url}?options=${encodeURIComponent('-c synchronous_commit=off')}`)
      assert.equal(await setting(db, 'synchronous_commit'), 'on')
    })

    test('a server that asks for more than the disk keeps what it asks for', async (t) => {
      const db = connect(t, `${url}?options=${encodeURIComponent('-c synchronous_commit=remote_apply')}`)
      assert.equal(await setting(db, 'synchronous_commit'), 'remote_apply')
    })

    test('the server may end an idle connection: the next query opens another', async (t) => {
      const db = connect(t, url)
      const other = connect(t, url)
      const pid = await backend(db)
      await sql`select pg_terminate_backend(${pid})`.execute(other)
      while (await isThere(other, pid)) await sql`select 1`.execute(other)
      const next = await untilAnswered(() => backend(db))
      assert.notEqual(next, pid)
    })

    test('the server may end a connection within a transaction: only that transaction fails', async (t) => {
      const db = connect(t, url)
      const other = connect(t, url)
      const cutShort = db.transaction().execute(async (trx) => {
        const pid = await backend(trx)
        await sql`select pg_terminate_backend(${pid})`.execute(other)
        while (await isThere(other, pid)) await sql`select 1`.execute(other)
        await untilAnswered(() => backend(trx))
      })
      await assert.rejects(cutShort, (error) => isStorageFailure(error))
      assert.ok(await backend(db))
    })

    test('ids and counts are numbers', async (t) => {
      const db = connect(t, url)
      const { rows } = await sql`select 7::bigint as id, count(*) as count from pg_class where false`.execute(
        db,
      )
      assert.deepEqual(rows, [{ id: 7, count: 0 }])
    })
  })
}

function connect(t: TestContext, url: string) {
  const db = connectDatabase(url)
  t.after(() => db.destroy())
  return db
}

async function setting(db: Kysely<Schema>, name: string) {
  const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)
  return rows[0]?.value
}

async function backend(db: Kysely<Schema>) {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]?.pid ?? 0
}

async function isThere(db: Kysely<Schema>, pid: number) {
  const { rows } = await sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(db)
  return rows.length > 0
}

// The client may learn of the end only by asking once.
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  return ask().catch(() => ask())
}
