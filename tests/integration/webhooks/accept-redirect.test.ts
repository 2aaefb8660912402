import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { aDispatcher, haveWebhooks, listAttempts, settledDeliveries, submit } from './webhook-world.ts'

const FAILING = '2026-11-20T08:00:00.000Z'

test('contract §8: a webhook that accepts redirects counts each 3xx as delivered and never follows it', async (t) => {
  const db = await openTestDatabase(t)
  const elsewhere = await startReceiver(t, 200)
  const statuses = [300, 301, 302, 303, 307, 308]
  const headers = { location: elsewhere.url }
  const receiver = await startReceiver(t, ...statuses.map((status) => ({ status, headers })))
  await haveWebhooks(db, { url: receiver.url, accept_redirect: true })
  await db.updateTable('form_webhooks').set({ failing_since: FAILING }).execute()
  for (const _ of statuses) await submit(db)
  aDispatcher(t, db).dispatcher.start()
  const deliveries = await settledDeliveries(db)
  assert.deepEqual(
    deliveries.map((row) => [row.status, row.attempt_count, row.outcome_code]),
    statuses.map(() => ['delivered', 1, null]),
  )
  const attempts = await listAttempts(db)
  assert.deepEqual(attempts.map((one) => one.response_status).sort(), statuses)
  assert.deepEqual([...new Set(attempts.map((one) => one.failure_kind))], [null])
  assert.equal(elsewhere.requests.length, 0)
  const webhook = await db.selectFrom('form_webhooks').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([webhook.accept_redirect, webhook.failing_since], [1, null])
})

test('contract §8: without accept_redirect a redirect fails, even beside a webhook that accepts it', async (t) => {
  const db = await openTestDatabase(t)
  const [one, other] = [await startReceiver(t, 302), await startReceiver(t, 302)]
  await haveWebhooks(
    db,
    { name: 'accepts', url: one.url, max_retries: 0, accept_redirect: true },
    { name: 'refuses', url: other.url, max_retries: 0, accept_redirect: false },
  )
  await submit(db)
  aDispatcher(t, db).dispatcher.start()
  const deliveries = await settledDeliveries(db)
  assert.deepEqual(
    deliveries.map(({ status }) => status),
    ['delivered', 'failed'],
  )
  const failed = (await listAttempts(db)).filter(({ failure_kind: kind }) => kind !== null)
  assert.deepEqual(
    failed.map(({ failure_kind: kind, response_status: status }) => [kind, status]),
    [['redirect', 302]],
  )
})

test('contract §8: an error stays an error for a webhook that accepts redirects', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 400, 500)
  await haveWebhooks(db, { url: receiver.url, max_retries: 0, accept_redirect: true })
  await submit(db)
  await submit(db)
  aDispatcher(t, db).dispatcher.start()
  const deliveries = await settledDeliveries(db)
  assert.deepEqual(
    deliveries.map(({ status }) => status),
    ['failed', 'failed'],
  )
})
