import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Kysely } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { machineOf } from '#src/publish/publish-lock.ts'
import { createDuty } from '#src/server/servers/duty.ts'
import { createHeartbeat } from '#src/server/servers/heartbeat.ts'
import { listAllServers, listServers } from '#src/server/servers/server-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { needsPostgres, postgresDatabase } from '../../support/postgres-database.ts'
import { runScript, waitFor } from '../../support/running-site.ts'

const DAY_MS = 86_400_000

/** A server's heartbeat, every 20 ms; with the machines that its log warned of. */
function startServer(
  t: TestContext,
  { db, databaseUrl, dataDir }: { db: Kysely<Schema>; databaseUrl: string; dataDir: string },
) {
  const warnings: string[] = []
  const errors: object[] = []
  const log = {
    warn: (details: object) => warnings.push((details as { other: { machine: string } }).other.machine),
    error: (details: object) => errors.push(details),
  }
  const heartbeat = createHeartbeat(db, { config: { databaseUrl, dataDir }, everyMs: 20, log })
  heartbeat?.start()
  atEnd(t, () => heartbeat?.stop())
  return { heartbeat, warnings, errors, machine: machineOf(dataDir) }
}

async function migrated(t: TestContext) {
  const { url: databaseUrl, connect } = await postgresDatabase(t)
  const db = connectDatabase(databaseUrl)
  atEnd(t, () => db.destroy())
  await migrate(db)
  return { db, databaseUrl, connect }
}

// The URL of a database says if it is for one server only.
const inThisProcess = async (t: TestContext) => ({
  db: await openTestDatabase(t),
  databaseUrl: 'postgres://unused',
})

for (const [where, options, open] of [
  ['a database in this process', {}, inThisProcess],
  ['PostgreSQL', needsPostgres, migrated],
] as const)
  test(
    `each of two servers with its own DATA_DIR warns about the other once (${where})`,
    options,
    async (t) => {
      const { db, databaseUrl } = await open(t)
      const first = startServer(t, { db, databaseUrl, dataDir: temporaryFolder(t) })
      const second = startServer(t, { db, databaseUrl, dataDir: temporaryFolder(t) })
      await waitFor(() => first.warnings.length > 0 && second.warnings.length > 0)
      const before = await listServers(db)
      await waitFor(async () => {
        const rows = await db.selectFrom('servers').select('seen_at').orderBy('started_at').execute()
        return rows.every(({ seen_at }, index) => seen_at > (before[index]?.startedAt ?? ''))
      })
      assert.deepEqual([first.warnings, second.warnings], [[second.machine], [first.machine]])
      await second.heartbeat?.stop()
      assert.deepEqual(
        (await listServers(db)).map(({ machine }) => machine),
        [first.machine],
      )
      assert.deepEqual([first.errors, second.errors], [[], []])
    },
  )

test('servers that share a DATA_DIR count as one and cause no warning', needsPostgres, async (t) => {
  const { db, databaseUrl } = await migrated(t)
  const [dataDir, sameDir] = [temporaryFolder(t), temporaryFolder(t)]
  machineOf(dataDir)
  copyFileSync(join(dataDir, 'machine'), join(sameDir, 'machine'))
  const servers = [dataDir, sameDir].map((dir) => startServer(t, { db, databaseUrl, dataDir: dir }))
  await waitFor(async () => (await listServers(db)).length === 2)
  const startedAt = (await listServers(db)).at(-1)?.startedAt ?? ''
  await waitFor(async () => {
    const rows = await db.selectFrom('servers').select('seen_at').execute()
    return rows.every(({ seen_at }) => seen_at > startedAt)
  })
  assert.deepEqual(
    servers.flatMap(({ warnings }) => warnings),
    [],
  )
})

test(
  'a dead server stops counting after 30 seconds by the database clock and is listed for an hour',
  needsPostgres,
  async (t) => {
    const { db, databaseUrl, connect } = await migrated(t)
    const direct = await connect()
    const add = (id: string, age: string) =>
      direct.query(
        `insert into servers (id, machine, version, started_at, seen_at) select $1, $1, '1', moment, moment
        from to_char((clock_timestamp() - $2::interval) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') moment`,
        [id, age],
      )
    await add('just seen', '20 seconds')
    await add('dead', '40 seconds')
    await add('long dead', '61 minutes')
    assert.deepEqual(
      (await listServers(db)).map(({ machine }) => machine),
      ['just seen'],
    )
    const server = startServer(t, { db, databaseUrl, dataDir: temporaryFolder(t) })
    await waitFor(() => server.warnings.length > 0)
    assert.deepEqual(server.warnings, ['just seen'])
    const { rows } = await direct.query('select machine from servers order by started_at')
    assert.deepEqual(
      rows.map(({ machine }) => machine),
      ['dead', 'just seen', server.machine],
    )
    assert.deepEqual(
      (await listAllServers(db)).map(({ health }) => health),
      ['silent', 'healthy', 'healthy'],
    )
  },
)

test('one server runs the daily work for all, and another one takes over if it dies', async (t) => {
  const { db, databaseUrl } = await inThisProcess(t)
  const done: string[] = []
  const serve = (name: string) => {
    const { heartbeat } = startServer(t, { db, databaseUrl, dataDir: temporaryFolder(t) })
    const log = { error: (details: object) => assert.fail(JSON.stringify(details)) }
    const work = (everyMs: number) => {
      const turn = async () => void done.push(name)
      const duty = createDuty({ db, heartbeat, name: 'retention', everyMs, turn, failure: '', log })
      duty.start()
      atEnd(t, () => duty.stop())
    }
    return { heartbeat, work }
  }
  const first = serve('first')
  await waitFor(() => first.heartbeat?.leads() === true)
  const second = serve('second')
  first.work(DAY_MS)
  await waitFor(() => done.length > 0)
  // Restarted, it leaves alone what was done today.
  first.work(DAY_MS)
  second.work(DAY_MS)
  await first.heartbeat?.stop()
  await waitFor(() => second.heartbeat?.leads() === true)
  second.work(DAY_MS)
  assert.deepEqual(done, ['first'])
  assert.deepEqual(
    (await listAllServers(db)).map(({ isLeader }) => isLeader),
    [true],
  )
  // As if its last heartbeat was 31 seconds ago.
  const long = new Date(Date.now() - 31_000).toISOString()
  await db.updateTable('site_leader').set({ server_id: 'dead', renewed_at: long }).execute()
  await db.updateTable('daily_work').set({ done_at: '2026-01-01T00:00:00.000Z' }).execute()
  await waitFor(() => second.heartbeat?.leads() === true)
  second.work(DAY_MS)
  await waitFor(() => done.length === 2)
  assert.deepEqual(done, ['first', 'second'])
})

test('with SQLite no server list is written', async (t) => {
  const db = await openTestDatabase(t)
  const server = startServer(t, { db, databaseUrl: 'file:signpost.db', dataDir: temporaryFolder(t) })
  assert.equal(server.heartbeat, undefined)
  assert.deepEqual(await listServers(db), [])
})

test('the dashboard and doctor list the other server', needsPostgres, async (t) => {
  const { db, databaseUrl } = await migrated(t)
  const admin = await startAdmin(t, { environment: { DATABASE_URL: databaseUrl } })
  const doctor = () =>
    runScript('doctor.ts', {
      dataDir: admin.app.config.dataDir,
      environment: { DATABASE_URL: databaseUrl },
    })
  await waitFor(async () => (await listServers(db)).length === 1)
  const dashboard = async () => (await admin.fetch('/admin')).text()
  assert.doesNotMatch(await dashboard(), /own data folder/)
  assert.match((await doctor()).output, /✓ Servers +1 running on this database/)
  const other = startServer(t, { db, databaseUrl, dataDir: temporaryFolder(t) })
  await waitFor(async () => (await listServers(db)).length === 2)
  // The server looks again every 10 seconds.
  await waitFor(async () => (await dashboard()).includes(other.machine), 15_000)
  assert.match(await dashboard(), /Other servers use this database with their own data folder/)
  const list = await (await admin.fetch('/admin/servers')).text()
  for (const text of [other.machine, 'Healthy', 'Runs daily tasks']) assert.ok(list.includes(text), text)
  const { output } = await doctor()
  assert.match(output, /! Servers +2 servers use this database, each with its own DATA_DIR: /)
  assert.ok(output.includes(other.machine))
})
