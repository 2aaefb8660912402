import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { createCommitProbe } from '#src/db/commit-probe.ts'
import { connectDatabase, connectSqlite } from '#src/db/connect.ts'
import { copyMigrated, temporaryFolder } from '../../support/database.ts'
import { startDatabaseProxy } from '../../support/database-proxy.ts'
import { hasServer, postgresDatabase } from '../../support/postgres-database.ts'
import { waitFor } from '../../support/running-site.ts'

test('while another process writes to SQLite, the last answer counts', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  await copyMigrated(path)
  const open = () => {
    const db = connectSqlite(path)
    t.after(() => db.destroy())
    return db
  }
  const [asked, unasked] = [
    createCommitProbe(open(), `file:${path}`),
    createCommitProbe(open(), `file:${path}`),
  ]
  assert.equal(await asked.canCommit(), true)
  const other = open()
  await sql`begin immediate`.execute(other)
  const startedAt = performance.now()
  assert.deepEqual(await Promise.all([asked.canCommit(), unasked.canCommit()]), [true, false])
  assert.ok(performance.now() - startedAt < 2_000)
  await sql`rollback`.execute(other)
  await waitFor(() => unasked.canCommit())
  rmSync(path)
  assert.equal(await asked.canCommit(), false)
})

if (hasServer) {
  test('a post can be stored on PostgreSQL unless the database is read-only, locked, or gone', async (t) => {
    const { url, connect } = await postgresDatabase(t, { isMigrated: true })
    const client = await connect()
    assert.equal(await canCommit(t, url), true)
    await client.query('begin; lock table recent_posts in access exclusive mode')
    const db = connectDatabase(url)
    const probe = createCommitProbe(db, url)
    t.after(() => Promise.all([probe.close(), db.destroy()]))
    const startedAt = performance.now()
    assert.equal(await probe.canCommit(), false)
    assert.ok(performance.now() - startedAt < 3_000)
    assert.equal(await probe.canCommit(), false)
    await client.query('rollback')
    await waitFor(() => probe.canCommit(), 3_000)
    const { pathname } = new URL(url)
    await client.query(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`)
    assert.equal(await canCommit(t, url), false)
    assert.equal(await canCommit(t, Object.assign(new URL(url), { port: '1' }).href), false)
  })

  test('PostgreSQL is asked once a second, again over a new connection, and no more after the end', async (t) => {
    const { url } = await postgresDatabase(t, { isMigrated: true })
    const proxy = await startDatabaseProxy(t, url)
    const db = connectDatabase(url)
    t.after(() => db.destroy())
    const probe = createCommitProbe(db, proxy.url)
    assert.equal(await probe.canCommit(), true)
    proxy.silence()
    assert.equal(await probe.canCommit(), true, 'within a second')
    proxy.heal()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    assert.equal(await probe.canCommit(), true, 'after one connection died')
    assert.equal(proxy.openCount(), 1)
    await probe.close()
    // The pool closes an idle connection after 10 seconds.
    await waitFor(async () => proxy.openCount() === 0, 3_000)
    await createCommitProbe(db, proxy.url).close()
  })
}

async function canCommit(t: TestContext, url: string) {
  const db = connectDatabase(url)
  t.after(() => db.destroy())
  const probe = createCommitProbe(db, url)
  t.after(() => probe.close())
  return probe.canCommit()
}
