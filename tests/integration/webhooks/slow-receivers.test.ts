import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { waitUntil } from './wait-until.ts'
import { aDispatcher, haveWebhooks, submit } from './webhook-world.ts'

const PITS = 10
const SUBMISSIONS = 10
const BACKLOG = 100

test('more hanging receivers than slots don’t delay others', async (t) => {
  const db = await openTestDatabase(t)
  const pits = await Promise.all(Array.from({ length: PITS }, () => startReceiver(t, () => {})))
  const healthy = await startReceiver(t, 200)
  const webhooks = pits.map(({ url }, index) => ({ name: `pit ${index}`, url }))
  await haveWebhooks(db, ...webhooks, { name: 'healthy', url: healthy.url })
  for (let n = 0; n < SUBMISSIONS; n++) await submit(db)
  aDispatcher(t, db, { timeoutMs: 60_000, maxInFlight: 8 }).dispatcher.start()
  await healthy.waitForRequests(SUBMISSIONS)
  const most = Math.max(...pits.map(({ requests }) => requests.length))
  assert.equal(most, 1, 'a pit gets the slot that it began with')
})

test('a hanging address leaves its origin’s slots to one that responds', async (t) => {
  const db = await openTestDatabase(t)
  const answered = { '/hangs': 0, '/answers': 0 }
  const receiver = await startReceiver(t, (response, { path }) => {
    answered[path as keyof typeof answered] += 1
    if (path === '/answers') response.writeHead(200).end()
  })
  await haveWebhooks(db, ...Object.keys(answered).map((path) => ({ name: path, url: receiver.url + path })))
  for (let n = 0; n < BACKLOG; n++) await submit(db)
  aDispatcher(t, db, { timeoutMs: 60_000 }).dispatcher.start()
  await waitUntil('all of those that are answered', async () => answered['/answers'] === BACKLOG)
  assert.equal(answered['/hangs'], 1)
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
