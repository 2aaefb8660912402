import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#src/db/schema.ts'
import { createDuty } from '#src/server/servers/duty.ts'
import { createHeartbeat } from '#src/server/servers/heartbeat.ts'
import { isDue, leaveLead, noteDone, takeLead } from '#src/server/servers/leader-store.ts'
import {
  deleteServers,
  listAllServers,
  listServers,
  saveHeartbeat,
} from '#src/server/servers/server-store.ts'
import { openTestDatabase, sqliteEngine, temporaryFolder } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { waitFor } from '../../support/running-site.ts'

const LOG = { warn: () => {}, error: (fields: object) => assert.fail(JSON.stringify(fields)) }
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: one server leads until it leaves or is silent for 30 s`, async () => {
    const db = await engine.openMigrated()
    const renewed = (at: string) => sql`update site_leader set renewed_at = ${at}`.execute(db)
    assert.equal(await takeLead(db, 'a'), true)
    assert.equal(await takeLead(db, 'b'), false)
    assert.equal(await takeLead(db, 'a'), true)
    await leaveLead(db, 'b')
    assert.equal(await takeLead(db, 'b'), false)
    await leaveLead(db, 'a')
    assert.equal(await takeLead(db, 'b'), true)
    await renewed(ago(20))
    assert.equal(await takeLead(db, 'a'), false)
    await renewed(ago(40))
    assert.equal(await takeLead(db, 'a'), true)
    assert.equal(await takeLead(db, 'b'), false)
  })

  test(`${engine.name}: work is due if it was never done, or done too long ago`, async () => {
    const db = await engine.openMigrated()
    assert.equal(await isDue(db, 'count', 60_000), true)
    await noteDone(db, 'count')
    assert.deepEqual([await isDue(db, 'count', 60_000), await isDue(db, 'other', 60_000)], [false, true])
    await sql`update daily_work set done_at = ${ago(90)}`.execute(db)
    assert.deepEqual([await isDue(db, 'count', 60_000), await isDue(db, 'count', 120_000)], [true, false])
    await noteDone(db, 'count')
    assert.equal(await isDue(db, 'count', 60_000), false)
  })

  test(`${engine.name}: servers are listed with their last state until an hour after their last heartbeat`, async () => {
    const db = await engine.openMigrated()
    const beat = { machine: 'host /data', releaseId: null, version: '1.0.0', isHealthy: true }
    const seen = (id: string, at: string) =>
      sql`update servers set seen_at = ${at}, started_at = ${at} where id = ${id}`.execute(db)
    for (const id of ['gone', 'silent', 'a', 'b'])
      await saveHeartbeat(db, { ...beat, id, machine: `host /${id}` })
    await saveHeartbeat(db, { ...beat, id: 'b', machine: 'host /moved', releaseId: 'r2', isHealthy: false })
    await takeLead(db, 'silent')
    await seen('gone', ago(3_700))
    await seen('silent', ago(60))
    await seen('a', ago(10))
    assert.equal((await listAllServers(db)).length, 4)
    await deleteServers(db)
    assert.deepEqual(await states(db), [
      ['host /silent', 'silent', false, null],
      ['host /a', 'healthy', false, null],
      ['host /b', 'unhealthy', false, 'r2'],
    ])
    assert.deepEqual(
      (await listServers(db)).map(({ machine }) => machine),
      ['host /a', 'host /b'],
    )
    await leaveLead(db, 'silent')
    await takeLead(db, 'a')
    await deleteServers(db, { id: 'b' })
    assert.deepEqual(await states(db), [
      ['host /silent', 'silent', false, null],
      ['host /a', 'healthy', true, null],
    ])
  })
}

test('the leader does work once for all servers, and a single server does it by itself', async (t) => {
  const db = await openTestDatabase(t)
  let [turns, isLeader] = [0, false]
  const start = (values: Partial<Parameters<typeof createDuty>[0]> = {}) => {
    const duty = createDuty({
      ...{ db, name: 'count', everyMs: 20, failure: 'failed', log: LOG },
      heartbeat: { leads: () => isLeader },
      turn: async () => {
        turns += 1
      },
      ...values,
    })
    duty.start()
    t.after(() => duty.stop())
    return duty
  }
  const waiting = start()
  await delay(60)
  assert.equal(turns, 0)
  isLeader = true
  await waitFor(async () => turns > 1)
  await waiting.stop()
  assert.equal(await isDue(db, 'count', 60_000), false)
  turns = 0
  await start({ everyMs: 60_000 }).stop()
  assert.equal(turns, 0)
  await start({ everyMs: 60_000, heartbeat: undefined }).stop()
  assert.equal(turns, 1)
})

test('work that ends with the server is due again', async (t) => {
  const db = await openTestDatabase(t)
  const started = Promise.withResolvers<void>()
  const duty = createDuty({
    ...{ db, name: 'count', everyMs: 60_000, failure: 'failed', log: LOG },
    heartbeat: { leads: () => true },
    async turn(signal) {
      started.resolve()
      await once(signal, 'abort')
    },
  })
  duty.start()
  await started.promise
  await duty.stop()
  assert.equal(await isDue(db, 'count', 60_000), true)
})

test('a server tells of itself, knows the others with their own folder, and signs off', async (t) => {
  const db = await openTestDatabase(t)
  const config = { databaseUrl: 'postgres://db.example/site', dataDir: temporaryFolder(t) }
  assert.equal(createHeartbeat(db, { config: { ...config, databaseUrl: 'file:a.db' }, log: LOG }), undefined)
  const release = '20261124T000000000Z'
  mkdirSync(join(config.dataDir, 'releases', release, 'site'), { recursive: true })
  symlinkSync(`releases/${release}`, join(config.dataDir, 'current'))
  const warned: unknown[] = []
  const log = { ...LOG, warn: (fields: object) => warned.push(fields) }
  const beat = { releaseId: null, version: '1.0.0', isHealthy: true }
  for (const id of ['x', 'y']) await saveHeartbeat(db, { ...beat, id, machine: 'other /data' })
  const heartbeat = createHeartbeat(db, { config, everyMs: 10, isHealthy: async () => false, log })
  assert.ok(heartbeat)
  assert.deepEqual([heartbeat.leads(), heartbeat.others()], [false, []])
  heartbeat.start()
  await waitFor(async () => heartbeat.others().length > 0)
  await delay(50)
  assert.equal(heartbeat.leads(), true)
  assert.deepEqual(
    heartbeat.others().map(({ machine }) => machine),
    ['other /data'],
  )
  assert.equal(warned.length, 1)
  const own = (await states(db)).filter(([machine]) => machine !== 'other /data')
  assert.deepEqual(
    own.map(([, ...state]) => state),
    [['unhealthy', true, release]],
  )
  await heartbeat.stop()
  assert.equal(heartbeat.leads(), false)
  assert.equal((await listServers(db)).length, 2)
  assert.equal(await takeLead(db, 'x'), true)
  const shared = createHeartbeat(db, { config, everyMs: 10, isShared: true, log: LOG })
  shared?.start()
  await waitFor(async () => (await listServers(db)).length === 3)
  assert.equal((await listAllServers(db)).at(-1)?.health, 'healthy')
  assert.deepEqual([shared?.others(), shared?.leads()], [[], false])
  await shared?.stop()
})

async function states(db: Db) {
  return (await listAllServers(db)).map(({ machine, health, isLeader, releaseId }) => [
    machine,
    health,
    isLeader,
    releaseId,
  ])
}
