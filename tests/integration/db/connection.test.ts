import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { type Kysely, sql } from 'kysely'
import { connectDatabase, connectSqlite } from '#src/db/connect.ts'
import { engineOf } from '#src/db/dialects.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { openEmptySqlite, openTestDatabase, temporaryFolder } from '../../support/database.ts'

const POLICY: [string, unknown][] = [
  ['busy_timeout', 5_000],
  ['journal_mode', 'wal'],
  ['synchronous', 2],
  ['foreign_keys', 1],
  ['trusted_schema', 0],
  ['secure_delete', 1],
  ['journal_size_limit', 67_108_864],
]

async function pragma(db: Kysely<Schema>, name: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)
  return Object.values(rows[0] ?? {})[0]
}

/** Two connections to one file, as two processes have them. */
function openTwice(t: TestContext) {
  const path = join(temporaryFolder(t), 'signpost.db')
  const connections = [connectSqlite(path), connectSqlite(path)] as const
  t.after(() => Promise.all(connections.map((db) => db.destroy())))
  return connections
}

for (const [name, value] of POLICY) {
  test(`every connection has ${name} = ${value}, after the first table and in a second connection too`, async (t) => {
    const [first, second] = openTwice(t)
    assert.equal(await pragma(first, name), value)
    await sql`create table things (id integer primary key) strict`.execute(first)
    await sql`insert into things default values`.execute(first)
    assert.equal(await pragma(first, name), value, 'after the first table')
    await sql`select * from things`.execute(second)
    assert.equal(await pragma(second, name), value, 'in the second connection')
  })
}

test('a transaction takes the write lock at its start, and a migration that waits too long says so', async (t) => {
  const [first, second] = openTwice(t)
  await sql`create table things (id integer primary key) strict`.execute(first)
  await sql`pragma busy_timeout = 0`.execute(second)
  let entered = false
  await first.transaction().execute(async () => {
    const attempt = second.transaction().execute(async () => {
      entered = true
    })
    await assert.rejects(attempt, { code: 'SQLITE_BUSY' })
    await assert.rejects(migrate(second), { code: 'SQLITE_BUSY' })
  })
  assert.equal(entered, false)
})

test('a writing transaction doesn’t block readers', async (t) => {
  const [first, second] = openTwice(t)
  await sql`create table things (id integer primary key) strict`.execute(first)
  await sql`pragma busy_timeout = 0`.execute(second)
  await first.transaction().execute(async (trx) => {
    await sql`insert into things default values`.execute(trx)
    const { rows } = await sql`select * from things`.execute(second)
    assert.deepEqual(rows, [])
  })
})

test('a failed transaction rolls back a new table', async (t) => {
  const db = openEmptySqlite(t)
  const attempt = db.transaction().execute(async (trx) => {
    await sql`create table things (id integer primary key) strict`.execute(trx)
    throw new Error('stop')
  })
  await assert.rejects(attempt, /stop/)
  await assert.rejects(sql`select * from things`.execute(db), /no such table/)
})

test('a statement that ran before a column was added shows the column afterwards', async (t) => {
  const [first, second] = openTwice(t)
  const read = async () => (await sql`select * from things`.execute(first)).rows
  await sql`create table things (a integer) strict`.execute(first)
  await sql`insert into things values (1)`.execute(first)
  assert.deepEqual(await read(), [{ a: 1 }])
  await sql`alter table things add column b integer default 2`.execute(first)
  assert.deepEqual(await read(), [{ a: 1, b: 2 }])
  await sql`alter table things add column c integer default 3`.execute(second)
  assert.deepEqual(await read(), [{ a: 1, b: 2, c: 3 }])
  await sql`drop table things`.execute(second)
  await assert.rejects(read(), /no such table/)
})

test('a select returns all rows after its stream was abandoned', async (t) => {
  const db = await openTestDatabase(t)
  const query = db.selectFrom('form_fields').select('name').orderBy('position')
  for await (const { name } of query.stream()) {
    assert.equal(name, 'full_name')
    break
  }
  assert.equal((await query.execute()).length, 6)
})

test('a statement can run again after it failed', async (t) => {
  const db = await openTestDatabase(t)
  const insert = (slug: string) =>
    db.insertInto('forms').values({ slug, name: 'A form' }).returning('slug').execute()
  await assert.rejects(insert('waitlist'), /UNIQUE/)
  assert.deepEqual(await insert('quote'), [{ slug: 'quote' }])
})

test('a pragma returns its current value every time', async (t) => {
  const db = openEmptySqlite(t)
  assert.equal(await pragma(db, 'synchronous'), 2)
  await sql`pragma synchronous = 3`.execute(db)
  assert.equal(await pragma(db, 'synchronous'), 3)
  await sql`pragma synchronous = 2`.execute(db)
  await sql`pragma synchronous = 3`.execute(db)
  assert.equal(await pragma(db, 'synchronous'), 3)
})

test('statements beyond the cache size all return their own result', async (t) => {
  const db = openEmptySqlite(t)
  for (const round of [1, 2]) {
    for (let number = 0; number < 450; number += 1) {
      const { rows } = await sql<{ n: number }>`select ${sql.lit(number)} as n`.execute(db)
      assert.equal(rows[0]?.n, number, `in round ${round}`)
    }
  }
})

test('a database URL is file:PATH or postgres://…, and an invalid one isn’t shown', () => {
  assert.throws(
    () => connectDatabase('mysql://root:hidden@localhost/x'),
    (error: Error) => {
      assert.match(error.message, /^DATABASE_URL .*expected file:PATH or postgres:/)
      assert.doesNotMatch(error.message, /hidden/)
      return true
    },
  )
})

test('a foreign file or a missing folder is refused when opened', (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(
    join(folder, 'notes.txt'),
    'This is text, and long enough to be taken for a header.'.repeat(20),
  )
  assert.throws(() => connectDatabase(`file:${join(folder, 'notes.txt')}`), /is not an SQLite database/)
  assert.throws(() => connectDatabase(`file:${join(folder, 'missing', 'x.db')}`), /does not exist/)
})

test('a new database and its WAL are private, and an existing file keeps its mode', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  const modeOf = (suffix: string) => statSync(path + suffix).mode & 0o777
  const db = connectSqlite(path)
  await db.schema.createTable('kept').addColumn('id', 'integer').execute()
  assert.deepEqual([modeOf(''), modeOf('-wal'), modeOf('-shm')], [0o600, 0o600, 0o600])
  await db.destroy()
  chmodSync(path, 0o640)
  await connectSqlite(path).destroy()
  assert.equal(modeOf(''), 0o640)
})

test('a database without WAL support is refused', () => {
  assert.throws(
    () => connectDatabase('file::memory:'),
    /^Error: SQLite has journal_mode=memory .* needs wal$/,
  )
  assert.equal(existsSync(':memory:'), false)
})

test('a connection knows its engine', async (t) => {
  assert.equal(engineOf(openEmptySqlite(t)), 'sqlite')
  const postgres = connectDatabase('postgres://127.0.0.1:1/none')
  assert.equal(engineOf(postgres), 'postgres')
  await postgres.destroy()
})

const WRITER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const Database = require('better-sqlite3')
  const database = new Database(workerData.path)
  database.exec('begin immediate; create table word (text text)')
  const turn = new Int32Array(workerData.turn)
  Atomics.store(turn, 0, 1)
  Atomics.notify(turn, 0)
  Atomics.wait(turn, 0, 1)
  const insert = database.prepare('insert into word values (?)')
  for (let count = 0; count < 100_000; count += 1) insert.run('a word')
  database.exec('commit')
  database.close()`

test('opening waits for a new file that another program is writing', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  const buffer = new SharedArrayBuffer(4)
  const turn = new Int32Array(buffer)
  const writer = new Worker(WRITER, { eval: true, workerData: { path, turn: buffer } })
  const ended = once(writer, 'exit')
  Atomics.wait(turn, 0, 0)
  Atomics.store(turn, 0, 2)
  Atomics.notify(turn, 0)
  const db = connectSqlite(path)
  t.after(() => db.destroy())
  const { rows } = await sql<{ count: number }>`select count(*) as count from word`.execute(db)
  assert.deepEqual(rows, [{ count: 100_000 }])
  assert.deepEqual(await ended, [0])
})
