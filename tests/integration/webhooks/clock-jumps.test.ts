import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { waitUntil } from './wait-until.ts'
import { aDispatcher, haveWebhooks, listDeliveries, settledDeliveries, submit } from './webhook-world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** After the submissions of these tests. */
const NOON = Date.parse('2026-11-20T12:00:00.000Z')
const DELIVERIES = 6
const TURNS = 5
/** Longer than all of it takes, however busy the machine is. */
const PATIENCE_MS = 30_000

/** A clock that runs, can be set, and knows how often it was looked at. */
function aClock(time = NOON) {
  const clock = { time, looks: 0 }
  const start = performance.now()
  const now = () => {
    clock.looks += 1
    return new Date(clock.time + performance.now() - start)
  }
  return { clock, now }
}

test('two dispatchers send nothing twice while their clocks jump a day, and renewed claims stay', async (t) => {
  const db = await openTestDatabase(t)
  const held: ServerResponse[] = []
  const receiver = await startReceiver(t, (response) => held.push(response))
  await haveWebhooks(db, { url: receiver.url })
  const two = [aClock(), aClock()].map(({ clock, now }) => ({
    clock,
    ...aDispatcher(t, db, { now, timeoutMs: PATIENCE_MS }),
  }))
  for (const { dispatcher } of two) dispatcher.start()
  await waitUntil('both began', async () => two.every(({ clock }) => clock.looks > 0))
  for (let n = 0; n < DELIVERIES; n++) await submit(db)
  for (const { dispatcher } of two) dispatcher.wake()
  await receiver.waitForRequests(two.length)

  for (const time of [NOON + DAY_MS, NOON, NOON - DAY_MS, NOON]) {
    for (const { clock } of two) Object.assign(clock, { time, looks: 0 })
    await waitUntil('turns of both', async () => {
      for (const { dispatcher } of two) dispatcher.wake()
      return two.every(({ clock }) => clock.looks > TURNS)
    })
    assert.equal(receiver.requests.length, two.length)
  }

  const letGo = setInterval(() => {
    for (const response of held.splice(0)) response.writeHead(200).end()
  })
  const deliveries = await settledDeliveries(db)
  clearInterval(letGo)
  assert.ok(deliveries.every(({ status, attempt_count }) => status === 'delivered' && attempt_count === 1))
  assert.equal(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size, DELIVERIES)
  assert.equal(receiver.requests.length, DELIVERIES)
})

test('a retry planned by a fast clock is made once the clock is corrected', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 500, 200)
  await haveWebhooks(db, { url: receiver.url })
  await submit(db)
  const { clock, now } = aClock()
  const { dispatcher } = aDispatcher(t, db, { now, retryScheduleMs: [60_000] })
  dispatcher.start()
  await waitUntil('a planned retry', async () => (await listDeliveries(db))[0]?.attempt_count === 1)
  clock.time -= DAY_MS
  dispatcher.wake()
  const [delivery] = await settledDeliveries(db)
  assert.deepEqual([delivery?.status, delivery?.attempt_count], ['delivered', 2])
})

test('deliveries from a fast clock are sent at the next start; retries within the longest delay wait', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  await haveWebhooks(db, { url: receiver.url })
  for (const _ of ['first', 'retry']) await submit(db)
  const [first, retry] = await listDeliveries(db)
  const { now } = aClock(NOON - 12 * HOUR_MS)
  await db
    .updateTable('webhook_deliveries')
    .set({ attempt_count: 1 })
    .where('id', '=', retry?.id ?? 0)
    .execute()
  aDispatcher(t, db, { now }).dispatcher.start()
  const rows = await waitUntil('the first attempt', async () => {
    const found = await listDeliveries(db)
    return found[0]?.status === 'delivered' && found
  })
  assert.equal(receiver.requests[0]?.headers['webhook-id'], first?.message_id)
  assert.deepEqual([rows[1]?.status, rows[1]?.next_attempt_at], ['pending', retry?.next_attempt_at])
})

test('a dead process’s claims are taken over despite their lease; a stopping process’s attempts aren’t', async (t) => {
  const db = await openTestDatabase(t)
  const held: ServerResponse[] = []
  const receiver = await startReceiver(t, (response) => held.push(response), 200)
  await haveWebhooks(db, { url: receiver.url })
  const two = ['https://one.example.com', 'https://two.example.com'].map((siteUrl) => {
    const { clock, now } = aClock()
    return { clock, siteUrl, ...aDispatcher(t, db, { now, siteUrl, timeoutMs: PATIENCE_MS }) }
  })
  for (const { dispatcher } of two) dispatcher.start()
  await waitUntil('both began', async () => two.every(({ clock }) => clock.looks > 0))
  await submit(db)
  for (const { dispatcher } of two) dispatcher.wake()
  const [inFlight] = await receiver.waitForRequests(1)
  const stopped = two
    .find(({ siteUrl }) => inFlight?.body.includes(siteUrl))
    ?.dispatcher.stop({ withinMs: PATIENCE_MS })

  await db.transaction().execute(async (trx) => {
    await submit(trx as typeof db)
    await trx
      .updateTable('webhook_deliveries')
      .set({ status: 'delivering', claimed_by: 'dead', lease_expires_at: '2999-01-01T00:00:00.000Z' })
      .where('status', '=', 'pending')
      .execute()
  })
  await receiver.waitForRequests(2)
  held[0]?.writeHead(200).end()
  await stopped
  const deliveries = await settledDeliveries(db)
  assert.deepEqual(
    deliveries.map(({ status, attempt_count }) => [status, attempt_count]),
    [
      ['delivered', 1],
      ['delivered', 1],
    ],
  )
  assert.deepEqual(
    receiver.requests.map(({ headers }) => headers['webhook-id']),
    deliveries.map(({ message_id }) => message_id),
  )
})
