import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import { type CompiledQuery, sql } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import { runTogether, runWithCommit } from '#src/db/postgres/pipeline.ts'
import type { Db } from '#src/db/schema.ts'
import { isConstraintViolation } from '#src/db/storage-failure.ts'
import { sqliteEngine } from '../../support/database.ts'
import { hasServer, postgresDatabase } from '../../support/postgres-database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: statements that run together see each other, and return their own results`, async () => {
    const db = await engine.openMigrated()
    const results = await db
      .transaction()
      .execute((trx) => runTogether(trx, [add(trx, 'a'), list(trx), add(trx, 'b'), list(trx)]))
    const read = results.map(({ rows }) => rows.map((row) => Object.values(row as object)[0]))
    assert.deepEqual([read[1], read[3]], [['a'], ['a', 'b']])
    assert.deepEqual(await challenges(db), ['a', 'b'])
  })

  test(`${engine.name}: the first failure of statements that run together undoes the transaction`, async () => {
    const db = await engine.openMigrated()
    const failing = db
      .transaction()
      .execute((trx) => runTogether(trx, [add(trx, 'a'), add(trx, 'a'), add(trx, 'b')]))
    await assert.rejects(failing, (error) => isConstraintViolation(error))
    assert.deepEqual(await challenges(db), [])
  })

  test(`${engine.name}: statements that run with the commit are stored together or not at all`, async () => {
    const db = await engine.openMigrated()
    const run = (...names: string[]) =>
      db.transaction().execute(async (trx) => {
        await trx.executeQuery(add(trx, `${names.length}`))
        await runWithCommit(
          trx,
          names.map((name) => add(trx, name)),
        )
      })
    await run('a', 'b')
    await run()
    assert.deepEqual(await challenges(db), ['0', '2', 'a', 'b'])
    await assert.rejects(run('c', 'a', 'd'), (error) => isConstraintViolation(error))
    assert.deepEqual(await challenges(db), ['0', '2', 'a', 'b'])
  })

  test(`${engine.name}: a transaction that fails keeps its own error and its connection`, async () => {
    const db = await engine.openMigrated()
    const failing = db.transaction().execute(async (trx) => {
      await runWithCommit(trx, [add(trx, 'a')])
      throw new Error('stop')
    })
    await assert.rejects(failing, /^Error: stop$/)
    assert.deepEqual(await challenges(db), [])
    const isolated = db.transaction().setIsolationLevel('serializable')
    assert.deepEqual(await isolated.execute((trx) => challenges(trx)), [])
  })
}

if (hasServer) {
  test('statements of a transaction wait for PostgreSQL together, also with its begin and commit', async (t) => {
    const { url } = await postgresDatabase(t, { isMigrated: true })
    const slow = await startSlowProxy(t, url)
    const db = connectDatabase(slow.url)
    t.after(() => db.destroy())
    await challenges(db)
    const waitsOf = async (work: (trx: Db) => Promise<unknown>) => {
      const before = slow.waits()
      await db.transaction().execute(work)
      return slow.waits() - before
    }
    assert.equal(await waitsOf((trx) => runTogether(trx, [add(trx, 'a'), list(trx), add(trx, 'b')])), 2)
    assert.equal(await waitsOf((trx) => runWithCommit(trx, [add(trx, 'c'), add(trx, 'd')])), 1)
    assert.equal(await waitsOf((trx) => challenges(trx)), 2)
    assert.deepEqual(await challenges(db), ['a', 'b', 'c', 'd'])
  })

  test('a transaction on PostgreSQL has the isolation or access that it asked for', async (t) => {
    const db = connectDatabase((await postgresDatabase(t)).url)
    t.after(() => db.destroy())
    const settings = async (trx: Db) => {
      const { rows } = await sql<{ isolation: string; access: string }>`select
        current_setting('transaction_isolation') as isolation,
        current_setting('transaction_read_only') as access`.execute(trx)
      return Object.values(rows[0] ?? {})
    }
    const plain = db.transaction()
    for (const [transaction, expected] of [
      [plain, ['read committed', 'off']],
      [plain.setIsolationLevel('repeatable read'), ['repeatable read', 'off']],
      [plain.setAccessMode('read only'), ['read committed', 'on']],
    ] as const)
      assert.deepEqual(await transaction.execute(settings), expected)
  })
}

/** Starts a proxy whose answers take 20 ms, so that the client can send all that needs no answer. */
async function startSlowProxy(t: TestContext, url: string) {
  let waits = 0
  const { hostname, port } = new URL(url)
  const proxy = createServer((client) => {
    let isAnswered = true
    const server = connect(Number(port), hostname)
    client.on('data', (bytes) => {
      if (isAnswered) waits += 1
      isAnswered = false
      server.write(bytes)
    })
    server.on('data', (bytes) =>
      setTimeout(() => {
        isAnswered = true
        client.write(bytes)
      }, 20),
    )
    for (const socket of [client, server]) socket.on('error', () => {})
    client.on('close', () => server.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => proxy.close())
  const own = { hostname: '127.0.0.1', port: String((proxy.address() as AddressInfo).port) }
  return { url: Object.assign(new URL(url), own).href, waits: () => waits }
}

function add(db: Db, challenge: string): CompiledQuery<unknown> {
  return db.insertInto('spent_challenges').values({ challenge, expires_at: '1' }).compile()
}

function list(db: Db): CompiledQuery<unknown> {
  return db.selectFrom('spent_challenges').select('challenge').orderBy('challenge').compile()
}

async function challenges(db: Db) {
  const rows = await db.selectFrom('spent_challenges').select('challenge').orderBy('challenge').execute()
  return rows.map(({ challenge }) => challenge)
}
