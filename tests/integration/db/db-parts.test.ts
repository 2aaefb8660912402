import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { connectDatabase, connectSqlite } from '#src/db/connect.ts'
import { serverProblem } from '#src/db/connection-problem.ts'
import { tryFileLock, withFreeLock } from '#src/db/file-lock.ts'
import { findLocale } from '#src/db/locale-store.ts'
import { UncertainCommit } from '#src/db/lost-answer.ts'
import {
  findSchemaRevision,
  listMigrations,
  migrate,
  migrationNames,
  refuseNewerDatabase,
} from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { acceptSecretKey, findKeyProblem, openSecretBox, renewKeyCheck } from '#src/db/secret-key-store.ts'
import { joinSnapshot, openSharedSnapshot } from '#src/db/snapshot.ts'
import { openSqliteBytes, openSqliteFile } from '#src/db/sqlite/open-sqlite-file.ts'
import { rollBackTo, savepoint } from '#src/db/statements/savepoint.ts'
import { isStorageFailure } from '#src/db/storage-failure.ts'
import { createRingBox, fixedRing } from '#src/lib/key-ring.ts'
import { assertWithin } from '../../support/assert-within.ts'
import { atEnd } from '../../support/at-end.ts'
import { copyMigrated, openEmptySqlite, openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { hasServer, postgresDatabase } from '../../support/postgres-database.ts'
import { insertRow } from './rows.ts'

const timestamp = '2026-11-20T10:00:00.000Z'
const [FIRST, SECOND, THIRD] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]

test('a key that doesn’t open the database’s secrets is found, and the check is renewed', async (t) => {
  const db = await openTestDatabase(t)
  const [first, second, both] = [fixedRing(FIRST), fixedRing(SECOND), fixedRing(SECOND, FIRST)]
  await renewKeyCheck(db, { secretBox: createRingBox(first) })
  assert.equal(await findKeyProblem(db, first), undefined, 'no key yet')
  await openSecretBox(db, first)
  assert.equal(await findKeyProblem(db, first), undefined)
  assert.equal(await findKeyProblem(db, both), undefined)
  const wrong = await findKeyProblem(db, second)
  const bothWrong = await findKeyProblem(db, fixedRing(SECOND, THIRD))
  assert.ok(wrong && bothWrong && wrong !== bothWrong)
  await assert.rejects(openSecretBox(db, second), { message: wrong })
  const check = async () =>
    (await db.selectFrom('settings').select('value_json').where('key', '=', 'secret_key_check').execute())[0]
  const former = await check()
  await renewKeyCheck(db, { secretBox: createRingBox(first) })
  assert.deepEqual(await check(), former, 'it is of the newest key')
  await renewKeyCheck(db, { secretBox: createRingBox(both) })
  assert.notDeepEqual(await check(), former)
  assert.equal(await findKeyProblem(db, second), undefined)
  assert.equal(await findKeyProblem(db, first), wrong)
  await acceptSecretKey(db, fixedRing(THIRD))
  assert.equal(await findKeyProblem(db, fixedRing(THIRD)), undefined)
  assert.equal(await findKeyProblem(db, second), wrong)
})

test('the locale is that of the settings', async (t) => {
  const db = await openTestDatabase(t)
  await insertRow(db, 'settings', { key: 'a', value_json: '{"time_zone":"Asia/Tokyo"}' })
  const usual = await findLocale(db)
  assert.equal(usual.timeZone === 'Asia/Tokyo', false)
  await insertRow(db, 'settings', {
    ...{ key: 'site', value_json: '{"country":"IE","language":"en","time_zone":"Europe/Dublin"}' },
  })
  const { country, timeZone } = await findLocale(db)
  assert.deepEqual([country, timeZone], ['IE', 'Europe/Dublin'])
})

test('work needs a free lock, or one that is released in a moment', async (t) => {
  const path = join(temporaryFolder(t), 'a.lock')
  assert.equal(await withFreeLock(path, async () => 'free'), 'free')
  const release = tryFileLock(path)
  const startedAt = performance.now()
  assert.equal(await withFreeLock(path, async () => 'taken'), undefined)
  const waitedMs = performance.now() - startedAt
  assert.ok(waitedMs >= 300, `${waitedMs} ms`)
  assertWithin(waitedMs, 3_000)
  const waiting = withFreeLock(path, async () => 'released')
  release?.()
  assert.equal(await waiting, 'released')
})

test('a file beside the database waits for others, and its commits are on disk', (t) => {
  const path = join(temporaryFolder(t), 'a.db')
  const file = openSqliteFile(path)
  const pragma = (name: string) => file.pragma(name, { simple: true })
  assert.deepEqual(['busy_timeout', 'journal_mode', 'synchronous', 'trusted_schema'].map(pragma), [
    ...[5_000, 'wal', 2, 0],
  ])
  assert.equal(statSync(path).mode & 0o777, 0o600)
  file.exec('create table words (word text); insert into words values (1)')
  file.pragma('journal_mode = delete')
  const bytes = file.serialize()
  file.close()
  const reader = openSqliteFile(path, { isReadOnly: true })
  assert.throws(() => reader.exec('delete from words'), { code: 'SQLITE_READONLY' })
  reader.close()
  const inMemory = openSqliteBytes(bytes)
  assert.deepEqual(inMemory.prepare('select word from words').all(), [{ word: '1' }])
  inMemory.close()
  openSqliteFile(':memory:').close()
})

test('an answer of `pg` without a code gets that of the network', () => {
  for (const [message, code] of [
    ['Connection terminated unexpectedly', 'ECONNRESET'],
    ['Connection terminated due to connection timeout', 'ETIMEDOUT'],
    ['timeout expired', 'ETIMEDOUT'],
  ] as const) {
    const problem = serverProblem(new Error(message), 'postgres://ann:hidden@db.example/site') as Error & {
      code?: string
    }
    assert.equal(problem.code, code, message)
    assert.match(problem.message, /^The database server at db\.example\/site /)
    assert.ok(isStorageFailure(problem))
  }
  for (const message of ['The connection timeout expired', 'Not so: Connection terminated unexpectedly']) {
    const error = new Error(message)
    assert.equal(serverProblem(error, 'postgres://db.example/site'), error)
  }
})

test('migrations go forward to a known one, and back to none', async (t) => {
  const db = await openTestDatabase(t)
  const names = await migrationNames()
  await assert.rejects(migrate(db, { to: '9999' }), (error: Error) => {
    assert.ok(error.message.includes('9999'))
    return error.message.includes(names.join(', '))
  })
  await assert.rejects(migrate(db, { to: '0010' }), (error: Error) => {
    return error.message.includes(names.at(-1) ?? '-') && error.message.includes('0010_taxonomies')
  })
  assert.deepEqual(await migrate(db, { to: names.at(-1) ?? '' }), [])
  const listed = await listMigrations(db)
  assert.deepEqual(
    listed.map(({ name }) => name),
    names,
  )
  assert.ok(listed.every(({ appliedAt }) => appliedAt instanceof Date))
  assert.equal(db.getExecutor().adapter.supportsTransactionalDdl, true)
})

test('a database from which a newer program took something is refused with that program’s version', async (t) => {
  const db = await openTestDatabase(t)
  await insertRow(db, 'kysely_migration', { name: '9999_newest', timestamp })
  const needed = { latest: '9999_newest', revision: '9999_newest', version: '7.8.9' }
  const newer = /it has the migrations 9999_newest\)/
  await assert.rejects(refuseNewerDatabase(db), newer, 'its effect is not recorded')
  await db.updateTable('schema_support').set(needed).execute()
  await assert.rejects(refuseNewerDatabase(db), (error: Error) => {
    return error.message.includes('7.8.9') && error.message.includes('9999_newest')
  })
})

test('an empty database gets the migrations up to one, oldest first, and each once', async (t) => {
  const db = openEmptySqlite(t)
  await sql`create table other (id integer)`.execute(db)
  assert.equal(await findSchemaRevision(db), undefined)
  const names = await migrationNames()
  assert.deepEqual(names, names.toSorted())
  assert.deepEqual(await migrate(db, { to: '0011' }), names.slice(0, 3))
  assert.deepEqual(await migrate(db, { to: names[2] ?? '' }), [])
  assert.deepEqual(await migrate(db, { to: '0012' }), names.slice(3, 4))
  assert.equal(await findSchemaRevision(db), names[3])
  await assert.rejects(migrate(db, { to: '0011' }), /0012_content_files/)
})

test('a failed migration says which one and why, and changes nothing', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  await copyMigrated(path)
  const db = connectSqlite(path)
  atEnd(t, () => db.destroy())
  const newest = (await migrationNames()).at(-1) ?? ''
  await sql`delete from kysely_migration where name = ${newest}`.execute(db)
  await assert.rejects(migrate(db), (error: Error) => {
    assert.ok(error.cause instanceof Error)
    return error.message.includes(newest) && error.message.includes(error.cause.message)
  })
  assert.equal((await listMigrations(db)).at(-1)?.appliedAt, undefined)
})

test('statements after a savepoint can be undone', async (t) => {
  const db = await openTestDatabase(t)
  await db.transaction().execute(async (trx) => {
    await insertRow(trx, 'spent_challenges', { challenge: 'a', expires_at: '1' })
    await trx.executeQuery(savepoint('here'))
    await insertRow(trx, 'spent_challenges', { challenge: 'b', expires_at: '1' })
    await trx.executeQuery(rollBackTo('here'))
  })
  const rows = await db.selectFrom('spent_challenges').select('challenge').execute()
  assert.deepEqual(rows, [{ challenge: 'a' }])
})

async function shareSnapshot(t: TestContext, url: string) {
  const writer = connectDatabase(url)
  atEnd(t, () => writer.destroy())
  const add = (challenge: string) => insertRow(writer, 'spent_challenges', { challenge, expires_at: '1' })
  const read = async (db: Pick<Kysely<Schema>, 'selectFrom'>) =>
    (await db.selectFrom('spent_challenges').select('challenge').execute()).length
  await add('before')
  const joined: Awaited<ReturnType<typeof joinSnapshot>>[] = []
  const snapshot = await openSharedSnapshot(url, async (token) => {
    joined.push(await joinSnapshot(url, token))
  })
  await add('after')
  for (const { db } of [snapshot, ...joined]) assert.equal(await read(db), 1)
  for (const one of [...joined, snapshot]) await one[Symbol.asyncDispose]()
  assert.equal(await read(writer), 2)
  await assert.rejects(
    openSharedSnapshot(url, async () => {
      throw new Error('a reader ended')
    }),
    /^Error: a reader ended$/,
  )
  await add('later')
}

test('a snapshot is shared on SQLite', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  await copyMigrated(path)
  await shareSnapshot(t, `file:${path}`)
})

if (hasServer) {
  test('on PostgreSQL, a snapshot is shared, a connection is reused, and a refused commit is certain', async (t) => {
    const { url } = await postgresDatabase(t, { isMigrated: true })
    await shareSnapshot(t, url)
    const db = connectDatabase(url, { maxConnections: 1 })
    atEnd(t, () => db.destroy())
    const backend = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
    assert.equal(await backend(), await backend())
    await sql`create table kept_apart (id integer primary key deferrable initially deferred)`.execute(db)
    const refused = db
      .transaction()
      .execute((trx) => sql`insert into kept_apart values (1), (1)`.execute(trx))
    await assert.rejects(refused, (error: Error & { code?: string }) => {
      return error.code === '23505' && !(error instanceof UncertainCommit)
    })
    const ended = db.transaction().execute(async (trx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx)
    })
    await assert.rejects(ended, (error) => isStorageFailure(error))
    await db.destroy()
    const hasty = connectDatabase(`${url}?query_timeout=200`, { maxConnections: 1 })
    atEnd(t, () => hasty.destroy())
    await assert.rejects(sql`select pg_sleep(5)`.execute(hasty), (error) => isStorageFailure(error))
    const startedAt = performance.now()
    assert.equal((await sql`select 1 as one`.execute(hasty)).rows.length, 1)
    assert.ok(performance.now() - startedAt < 3_000, 'over another connection')
  })
}
