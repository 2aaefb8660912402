import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseWebhook, resumeWebhook } from '#src/webhooks/definition/pause-webhook.ts'
import { beginFailing, endFailing, listFailingSince } from '#src/webhooks/definition/webhook-health-store.ts'
import { findWebhook } from '#src/webhooks/definition/webhook-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { waitUntil } from './wait-until.ts'
import { aDispatcher, haveWebhooks, settledDeliveries, submit } from './webhook-world.ts'

const HOUR_MS = 60 * 60 * 1_000
const START = new Date('2026-11-20T10:00:00.000Z')

test('contract §6: a webhook that fails for 5 days is disabled with a notice', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 500)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: receiver.url, max_retries: 50 })
  await submit(db)
  let now = START
  const options = { now: () => now, random: () => 0.5, retryScheduleMs: [24 * HOUR_MS] }
  const { dispatcher } = aDispatcher(t, db, options)
  dispatcher.start()
  for (let day = 0; day <= 5; day++) {
    now = new Date(START.getTime() + day * 24 * HOUR_MS)
    dispatcher.wake()
    await waitUntil(`attempt ${day + 1}`, async () => {
      const row = await db.selectFrom('webhook_deliveries').select('attempt_count').executeTakeFirst()
      return row?.attempt_count === day + 1
    })
    assert.equal((await findWebhook(db, id))?.enabled, day < 5, `after ${day} days`)
  }
  const webhook = await findWebhook(db, id)
  assert.equal(webhook?.failingSince, START.toISOString())
  assert.equal(webhook?.disabledAt, now.toISOString())
  assert.equal(webhook?.disabledReason?.code, 'always_failing')
  now = new Date(now.getTime() + 24 * HOUR_MS)
  dispatcher.wake()
  assert.equal((await settledDeliveries(db))[0]?.outcome_code, 'webhook_off')

  await haveWebhooks(db, { url: receiver.url })
  const again = await findWebhook(db, id)
  assert.deepEqual([again?.enabled, again?.disabledReason, again?.failingSince], [true, null, null])
})

test('contract §6: paused days don’t count as failing days', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 500)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: receiver.url })
  const failingSince = START.toISOString()
  await db.updateTable('form_webhooks').set({ failing_since: failingSince }).execute()
  const now = new Date(START.getTime() + 6 * 24 * HOUR_MS)
  await pauseWebhook(db, id, { now: START })
  await submit(db)
  await resumeWebhook(db, id)
  aDispatcher(t, db, { now: () => now, retryScheduleMs: [HOUR_MS] }).dispatcher.start()
  await waitUntil('an attempt', () =>
    db.selectFrom('webhook_deliveries').selectAll().where('attempt_count', '=', 1).executeTakeFirst(),
  )
  const webhook = await findWebhook(db, id)
  assert.deepEqual([webhook?.enabled, webhook?.failingSince], [true, now.toISOString()])
})

test('contract §6: a successful delivery resets the failing days', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 500, 200)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: receiver.url })
  await db.updateTable('form_webhooks').set({ failing_since: '2026-11-20T10:00:00.000Z' }).execute()
  await submit(db)
  aDispatcher(t, db, {
    now: () => new Date('2026-11-25T09:00:00.000Z'),
    retryScheduleMs: [0],
  }).dispatcher.start()
  await settledDeliveries(db)
  const webhook = await findWebhook(db, id)
  assert.deepEqual([webhook?.enabled, webhook?.failingSince], [true, null])
})

test('contract §6: one webhook’s deliveries don’t affect another’s failing days', async (t) => {
  const db = await openTestDatabase(t)
  const [broken, good] = [await startReceiver(t, 500), await startReceiver(t, 200)]
  const failing = { name: 'failing', url: broken.url, max_retries: 0 }
  const webhooks = await haveWebhooks(db, failing, { name: 'good', url: good.url })
  const failingSince = async () => {
    const found = await Promise.all(webhooks.map(({ id }) => findWebhook(db, id)))
    return found.map((webhook) => webhook?.failingSince)
  }
  await submit(db)
  aDispatcher(t, db, { now: () => START }).dispatcher.start()
  await settledDeliveries(db)
  assert.deepEqual(await failingSince(), [START.toISOString(), null])
  const [first = 0, second = 0] = webhooks.map(({ id }) => id)
  await endFailing(db, [second])
  assert.deepEqual(await failingSince(), [START.toISOString(), null])
  await beginFailing(db, [first], { now: START })
  assert.deepEqual(await failingSince(), [START.toISOString(), null])
  await beginFailing(db, [second], { now: START })
  assert.deepEqual(await listFailingSince(db, [first], { since: START }), [first])
})

test('contract §6: the notice of a webhook disabled by 410 says so', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 410)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: receiver.url })
  await submit(db)
  aDispatcher(t, db).dispatcher.start()
  await settledDeliveries(db)
  assert.equal((await findWebhook(db, id))?.disabledReason?.code, 'gone')
})

for (const [header, expected] of [
  ['120', '2026-11-20T10:02:00.000Z'],
  ['Fri, 20 Nov 2026 11:30:00 GMT', '2026-11-20T11:30:00.000Z'],
  ['999999999', '2026-11-21T10:00:00.000Z'],
] as const) {
  test(`contract §6: Retry-After ${header} is respected, 24 h at most`, async (t) => {
    const db = await openTestDatabase(t)
    const receiver = await startReceiver(t, { status: 429, headers: { 'retry-after': header } })
    await haveWebhooks(db, { url: receiver.url })
    await submit(db)
    aDispatcher(t, db, { now: () => START, retryScheduleMs: [1_000] }).dispatcher.start()
    const row = await waitUntil('an attempt', () =>
      db.selectFrom('webhook_deliveries').selectAll().where('attempt_count', '=', 1).executeTakeFirst(),
    )
    assert.equal(row.next_attempt_at, expected)
  })
}
