import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { waitUntil } from './wait-until.ts'
import { aDispatcher, haveWebhooks, submit } from './webhook-world.ts'

const PITS = 10
const SUBMISSIONS = 10

test('more receivers that hang than there are places hold up nobody else', async (t) => {
  const db = await openTestDatabase(t)
  const pits = await Promise.all(Array.from({ length: PITS }, () => startReceiver(t, () => {})))
  const healthy = await startReceiver(t, 200)
  const webhooks = pits.map(({ url }, index) => ({ name: `pit ${index}`, url }))
  await haveWebhooks(db, ...webhooks, { name: 'healthy', url: healthy.url })
  for (let n = 0; n < SUBMISSIONS; n++) await submit(db)
  aDispatcher(t, db, { timeoutMs: 60_000, maxInFlight: 8 }).dispatcher.start()
  await healthy.waitForRequests(SUBMISSIONS)
  const most = Math.max(...pits.map(({ requests }) => requests.length))
  assert.ok(most <= 2, 'a pit gets the slot that it began with, and one more as it says nothing')
})

test('a delivery that waits for its retry holds no slot', async (t) => {
  const db = await openTestDatabase(t)
  const failing = await startReceiver(t, 500)
  const healthy = await startReceiver(t, 200)
  await haveWebhooks(db, { name: 'failing', url: failing.url }, { name: 'healthy', url: healthy.url })
  for (let n = 0; n < SUBMISSIONS; n++) await submit(db)
  aDispatcher(t, db, { maxInFlight: 1, retryScheduleMs: [60_000] }).dispatcher.start()
  await waitUntil('one attempt of each', async () => {
    const rows = await db.selectFrom('webhook_deliveries').select(['status', 'attempt_count']).execute()
    return rows.every(({ attempt_count }) => attempt_count === 1)
  })
  assert.deepEqual([failing.requests.length, healthy.requests.length], [SUBMISSIONS, SUBMISSIONS])
})
