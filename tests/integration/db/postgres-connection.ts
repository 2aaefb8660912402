import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import { PATIENT, PROMPT } from '#src/db/deadlines.ts'
import { UncertainCommit } from '#src/db/lost-answer.ts'
import type { Schema } from '#src/db/schema.ts'
import { isStorageFailure } from '#src/db/storage-failure.ts'
import { startDatabaseProxy } from '../../support/database-proxy.ts'

// The server's own deadlines are longer: it is silent.
const IMPATIENT = { ...PROMPT, answerMs: 300 }

/** What every connection to the PostgreSQL server at this address promises. */
export function testPostgresConnection(url: string) {
  describe('connections to PostgreSQL', () => {
    test('a commit waits for the disk, even if the URL says otherwise', async (t) => {
      const db = connect(t, `${url}?options=${encodeURIComponent('-c synchronous_commit=off')}`)
      assert.equal(await setting(db, 'synchronous_commit'), 'on')
    })

    test('a stricter synchronous_commit of the server is kept', async (t) => {
      const db = connect(t, `${url}?options=${encodeURIComponent('-c synchronous_commit=remote_apply')}`)
      assert.equal(await setting(db, 'synchronous_commit'), 'remote_apply')
    })

    test('after the server closes an idle connection the next query opens another', async (t) => {
      const db = connect(t, url)
      const other = connect(t, url)
      const pid = await backend(db)
      await sql`select pg_terminate_backend(${pid})`.execute(other)
      while (await isThere(other, pid)) await sql`select 1`.execute(other)
      const next = await untilAnswered(() => backend(db))
      assert.notEqual(next, pid)
    })

    test('a connection that the server is closing is never reused', async (t) => {
      const proxy = await startDatabaseProxy(t, url)
      const db = connect(t, proxy.url, { deadlines: IMPATIENT })
      const other = connect(t, url)
      const pid = await backend(db)
      proxy.delayEnds()
      const cutShort = assert.rejects(sql`select pg_sleep(0.2)`.execute(db), { code: '57P01' })
      await sql`select pg_terminate_backend(${pid})`.execute(other)
      await cutShort
      assert.notEqual(await backend(db), pid)
    })

    test('closing a connection within a transaction fails only that transaction', async (t) => {
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

    test('every connection has deadlines, regardless of the role or the URL', async (t) => {
      for (const [deadlines, expected] of [
        [PROMPT, ['2500ms', '3s', '10s']],
        [PATIENT, ['5s', '30s', '30s']],
        [undefined, ['15s', '1h', '1h']],
      ] as const) {
        const db = connect(t, `${url}?statement_timeout=0&lock_timeout=0`, deadlines && { deadlines })
        const names = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']
        assert.deepEqual(await Promise.all(names.map((name) => setting(db, name))), expected)
      }
    })

    test('the server gives up a client that lost power, and frees its locks, after 30 s', async (t) => {
      const db = connect(t, url)
      const names = [
        'tcp_user_timeout',
        'tcp_keepalives_idle',
        'tcp_keepalives_interval',
        'tcp_keepalives_count',
      ]
      assert.deepEqual(await Promise.all(names.map((name) => setting(db, name))), ['30000', '10', '5', '4'])
    })

    test('a query without a response is abandoned, and its connection is never reused', async (t) => {
      const db = connect(t, url, { deadlines: IMPATIENT })
      const first = await backend(db)
      const startedAt = performance.now()
      await assert.rejects(sql`select pg_sleep(30)`.execute(db), (error) => isStorageFailure(error))
      assert.ok(performance.now() - startedAt < 5_000)
      assert.notEqual(await backend(db), first)
    })

    test('query_timeout in the URL leaves no connection waiting for a stale response', async (t) => {
      const db = connect(t, `${url}?query_timeout=300`)
      const first = await backend(db)
      await assert.rejects(sql`select pg_sleep(30)`.execute(db), (error) => isStorageFailure(error))
      assert.notEqual(await backend(db), first)
    })

    test('a transaction’s own error is reported, not that of its rollback', async (t) => {
      const db = connect(t, url, { deadlines: IMPATIENT })
      const asleep = db.transaction().execute((trx) => sql`select pg_sleep(30)`.execute(trx))
      await assert.rejects(asleep, /did not respond within 0.3 s/)
    })

    test('the server ends a frozen program’s transaction and frees its locks', async (t) => {
      const db = connect(t, url, { deadlines: { ...PROMPT, idleInTransactionMs: 200 } })
      const trx = await db.startTransaction().execute()
      const pid = await backend(trx)
      const other = connect(t, url)
      while (await isThere(other, pid)) await sql`select 1`.execute(other)
      await assert.rejects(sql`select 1`.execute(trx), (error) => isStorageFailure(error))
      await trx.rollback().execute()
      assert.ok(await backend(db))
    })

    test('only a commit with a lost response is uncertain', async (t) => {
      const db = connect(t, url)
      const other = connect(t, url)
      await sql`create table if not exists kept_apart (id integer primary key deferrable initially deferred)`.execute(
        db,
      )
      const refused = db.transaction().execute(async (trx) => {
        await sql`insert into kept_apart values (1), (1)`.execute(trx)
      })
      await assert.rejects(refused, (error) => !(error instanceof UncertainCommit))
      const cutShort = db.transaction().execute(async (trx) => {
        const pid = await backend(trx)
        await sql`select pg_terminate_backend(${pid})`.execute(other)
        while (await isThere(other, pid)) await sql`select 1`.execute(other)
      })
      await assert.rejects(cutShort, UncertainCommit)
      await sql`drop table kept_apart`.execute(db)
    })

    test('IDs and counts are numbers', async (t) => {
      const db = connect(t, url)
      const { rows } = await sql`select 7::bigint as id, count(*) as count from pg_class where false`.execute(
        db,
      )
      assert.deepEqual(rows, [{ id: 7, count: 0 }])
    })
  })
}

function connect(t: TestContext, url: string, options: Parameters<typeof connectDatabase>[1] = {}) {
  const db = connectDatabase(url, options)
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
