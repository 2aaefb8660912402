import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { deleteDispatcher, saveDispatcher } from '#src/webhooks/dispatching/dispatcher-store.ts'
import { createSlotShares } from '#src/webhooks/dispatching/slot-shares.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { startReceiver } from '../../support/receiver.ts'
import { waitUntil } from './wait-until.ts'
import { aDispatcher, haveWebhooks, submit } from './webhook-world.ts'

const LONG_AGO = '2026-11-20T10:00:00.000Z'
/** However slow the machine is, this dispatcher lives. */
const LATER = '2999-01-01T00:00:00.000Z'
const engine = postgresEngine()
after(engine.close)

/** The shares of the dispatcher `a`, of whose attempts `state.running` go to one origin. */
function sharesOfA(t: TestContext, db: Kysely<Schema>) {
  const state = { running: 0, grown: 0 }
  const errors: object[] = []
  const logger = { info() {}, warn() {}, error: (details: object) => errors.push(details) }
  const shares = createSlotShares({
    ...{ db, id: 'a', perOrigin: 8, logger },
    mostRunning: () => state.running,
    onMore: () => (state.grown += 1),
  })
  atEnd(t, () => shares.stop())
  const has = (perOrigin: number) =>
    waitUntil(`${perOrigin} slots`, async () => shares.current().perOrigin === perOrigin)
  return { shares, state, errors, has }
}

/** Runs another dispatcher that divides by this number. */
async function announceB(db: Kysely<Schema>, counted: number) {
  await deleteDispatcher(db, 'b')
  await db.insertInto('dispatchers').values({ id: 'b', seen_at: LATER, counted }).execute()
}

async function listCounted(db: Kysely<Schema>) {
  const rows = await db.selectFrom('dispatchers').select(['id', 'counted']).orderBy('id').execute()
  return rows.map(({ id, counted }) => `${id} ${counted}`)
}

// Seldom, because PGlite uses this process.
async function readOwn(db: Kysely<Schema>) {
  await setTimeout(50)
  return db.selectFrom('dispatchers').selectAll().where('id', '!=', 'b').executeTakeFirstOrThrow()
}

/** Waits until the dispatcher that is not `b` divides by this number. */
function whenCounted(db: Kysely<Schema>, count: number) {
  return waitUntil(`a dispatcher that divides by ${count}`, async () => (await readOwn(db)).counted === count)
}

test('each running dispatcher is stored once, and is gone when it stops or dies', async () => {
  const db = await engine.openMigrated()
  assert.deepEqual(await saveDispatcher(db, { id: 'b', counted: 1 }), [{ id: 'b', counted: 1 }])
  const both = [
    { id: 'a', counted: 2 },
    { id: 'b', counted: 1 },
  ]
  assert.deepEqual(await saveDispatcher(db, { id: 'a', counted: 2 }), both)
  await db.updateTable('dispatchers').set({ seen_at: LONG_AGO }).execute()
  const again = [{ id: 'b', counted: 2 }]
  assert.deepEqual(await saveDispatcher(db, { id: 'b', counted: 2 }), again, 'the other one has died')
  await saveDispatcher(db, { id: 'a', counted: 2 })
  await deleteDispatcher(db, 'a')
  assert.deepEqual(await listCounted(db), ['b 2'])
})

test('a dispatcher counts another one once its attempts fit the smaller share', async (t) => {
  const db = await engine.openMigrated()
  const { shares, state, errors, has } = sharesOfA(t, db)
  assert.deepEqual(shares.current(), { perOrigin: 0, mayExceed: false })
  shares.start()
  await has(8)
  assert.deepEqual(shares.current(), { perOrigin: 8, mayExceed: true })
  assert.equal(state.grown, 1)
  state.running = 5
  await announceB(db, 2)
  await has(4)
  assert.deepEqual(await listCounted(db), ['a 1', 'b 2'])
  state.running = 4
  await whenCounted(db, 2)
  assert.equal(state.grown, 1)
  state.running = 9
  await deleteDispatcher(db, 'b')
  await has(8)
  await whenCounted(db, 1)
  assert.equal(state.grown, 2)
  await shares.stop()
  assert.deepEqual(await listCounted(db), [])
  assert.deepEqual(errors, [])
})

test('a dispatcher has no slots until a running one counts it', async (t) => {
  const db = await engine.openMigrated()
  await announceB(db, 1)
  const { shares, state, has } = sharesOfA(t, db)
  shares.start()
  await whenCounted(db, 2)
  assert.deepEqual([shares.current().perOrigin, state.grown], [0, 0])
  await announceB(db, 2)
  await has(4)
  assert.equal(state.grown, 1)
})

test('a dispatcher with more attempts in flight than the smaller share counts no other yet', async (t) => {
  const db = await engine.openMigrated()
  const held: ServerResponse[] = []
  const receiver = await startReceiver(t, (response) => void held.push(response))
  const paths = ['1', '2', '3', '4', '5']
  await haveWebhooks(db, ...paths.map((path) => ({ name: path, url: `${receiver.url}/${path}` })))
  await submit(db)
  aDispatcher(t, db, { timeoutMs: 60_000 }).dispatcher.start()
  await receiver.waitForRequests(paths.length)
  await announceB(db, 2)
  const seen = new Set<string>()
  await waitUntil('two more looks', async () => {
    const { seen_at, counted } = await readOwn(db)
    assert.equal(counted, 1)
    return seen.add(seen_at).size > 2
  })
  held.pop()?.end()
  await whenCounted(db, 2)
})

test('a failed sign-off of a dispatcher is logged', async (t) => {
  const db = await engine.openMigrated()
  const { shares, errors } = sharesOfA(t, db)
  await db.schema.alterTable('dispatchers').renameTo('moved').execute()
  await shares.stop()
  await db.schema.alterTable('moved').renameTo('dispatchers').execute()
  assert.match(String((errors[0] as { err?: Error } | undefined)?.err), /"dispatchers" does not exist/)
})

test('on SQLite, which has one dispatcher, the share is everything', async (t) => {
  const { shares } = sharesOfA(t, await openTestDatabase(t))
  shares.start()
  assert.deepEqual(shares.current(), { perOrigin: 8, mayExceed: true })
})
