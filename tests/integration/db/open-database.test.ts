import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import { findSchemaRevision, migrate } from '#src/db/migrate.ts'
import { openDatabase } from '#src/db/open-database.ts'
import { listenTo } from '#src/db/postgres/listen.ts'
import type { Schema } from '#src/db/schema.ts'
import { isStorageFailure } from '#src/db/storage-failure.ts'
import { copyMigrated, temporaryFolder } from '../../support/database.ts'
import { hasServer, postgresDatabase } from '../../support/postgres-database.ts'
import { waitFor } from '../../support/running-site.ts'
import { REVISIONS } from './revisions.ts'

test('one server has a SQLite file, and the next one after its end', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  await copyMigrated(path)
  const options = { databaseUrl: `file:${path}`, databasePool: 5 }
  const first = await openDatabase(options)
  await assert.rejects(openDatabase(options), /^Error: Another Signpost server uses this database/)
  assert.equal(first.promptDb, first.db)
  first.breakOff()
  assert.equal(await findSchemaRevision(first.db), REVISIONS.at(-1))
  await first.close()
  await assert.rejects(findSchemaRevision(first.db))
  const second = await openDatabase(options)
  await second.close()
})

if (hasServer) {
  test('on PostgreSQL, the admin and visitors have connections and deadlines of their own', async (t) => {
    const { url, connect } = await postgresDatabase(t, { isMigrated: true })
    const client = await connect()
    const { db, promptDb, breakOff, close } = await openDatabase({ databaseUrl: url, databasePool: 5 })
    const timeout = async (one: Kysely<Schema>) =>
      (await sql<{ value: string }>`select current_setting('statement_timeout') as value`.execute(one))
        .rows[0]?.value
    assert.deepEqual([await timeout(db), await timeout(promptDb)], ['30s', '3s'])
    const asleep = [3, 3, 0].map((seconds) => sql`select pg_sleep(${seconds})`.execute(db))
    const sleeping = [promptDb, promptDb, promptDb, promptDb].map((one) =>
      sql`select pg_sleep(0.3)`.execute(one),
    )
    const count = async () => {
      const { rows } = await client.query(`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
      return rows[0].count
    }
    await Promise.all(sleeping)
    assert.equal(await count(), 5)
    breakOff()
    for (const one of asleep.slice(0, 2)) await assert.rejects(one, (error) => isStorageFailure(error))
    assert.equal(await timeout(promptDb), '3s')
    await asleep[2]?.catch(() => {})
    await close()
    // A pool closes idle connections after 10 seconds.
    await waitFor(async () => (await count()) === 0, 6_000)
  })

  test('a migration waits while another server holds its lock', async (t) => {
    const { url, connect } = await postgresDatabase(t)
    const deadlines = {
      connectMs: 5_000,
      lockMs: 50,
      statementMs: 5_000,
      idleInTransactionMs: 5_000,
      answerMs: 5_000,
    }
    const db = connectDatabase(url, { deadlines })
    t.after(() => db.destroy())
    await migrate(db, { to: '0001' })
    const other = await connect()
    await other.query('begin; lock table kysely_migration_lock in access exclusive mode')
    const migrating = migrate(db, { to: '0010' })
    await delay(300)
    await other.query('rollback')
    assert.deepEqual(await migrating, ['0010_taxonomies'])
  })

  test('a listener hears of changes until it is closed, and once when it begins', async (t) => {
    const { url, connect } = await postgresDatabase(t)
    const client = await connect()
    const listening = listen(t, url)
    await waitFor(async () => listening.count() === 1)
    await client.query('notify something_else')
    await client.query('notify changes')
    await waitFor(async () => listening.count() === 2)
    await listening.close()
    await client.query('notify changes')
    const { rows } = await client.query(`select 1 from pg_stat_activity
      where datname = current_database() and query like 'listen%' and state is not null`)
    assert.deepEqual([rows.length, listening.count()], [0, 2])
    const early = listen(t, url)
    await early.close()
    await delay(100)
    assert.equal(early.count(), 0)
  })

  test('a listener whose connection ends listens again after five seconds, unless it is closed', async (t) => {
    const { url, connect } = await postgresDatabase(t)
    const client = await connect()
    const [listening, closed] = [listen(t, url), listen(t, url)]
    await waitFor(async () => listening.count() === 1 && closed.count() === 1)
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query = 'listen changes'`)
    await closed.close()
    await waitFor(async () => listening.count() === 2, 10_000)
    await client.query('notify changes')
    await waitFor(async () => listening.count() === 3)
    assert.equal(closed.count(), 1)
  })
}

function listen(t: TestContext, url: string) {
  let count = 0
  const { close } = listenTo(url, 'changes', () => {
    count += 1
  })
  t.after(close)
  return { close, count: () => count }
}
