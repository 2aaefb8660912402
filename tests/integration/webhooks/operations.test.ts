import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { markNotSpam, markSpam } from '#src/submissions/inbox/mark-spam.ts'
import { pauseWebhook, resumeWebhook } from '#src/webhooks/definition/pause-webhook.ts'
import { cancelDeliveries } from '#src/webhooks/deliveries/cancel-deliveries.ts'
import { deliverSubmission } from '#src/webhooks/deliveries/deliver-submission.ts'
import { replayDeliveries, replayDelivery, replayMatching } from '#src/webhooks/replays/replay-deliveries.ts'
import { sendTestDelivery } from '#src/webhooks/trials/send-test-delivery.ts'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { waitUntil } from './wait-until.ts'
import {
  aDispatcher,
  haveWebhooks,
  listAttempts,
  SITE_URL,
  settledDeliveries,
  submit,
} from './webhook-world.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const TEST = { siteUrl: SITE_URL, now: NOW }

test('contract §6: a test with sample answers is signed and recorded like any delivery, with is_test', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, {
    ...{ url: receiver.url, signing_secret: 'hush', fire_on: { role: 'owner' } },
    payload_template: { email: '{{email}}', test: '{{meta.is_test}}', delivery: '{{meta.delivery_id}}' },
  })
  const outcome = await sendTestDelivery(db, id, TEST)
  aDispatcher(t, db).dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  assert.deepEqual(outcome, { kind: 'queued', deliveryId: delivery?.id })
  assert.deepEqual([delivery?.status, delivery?.is_test, delivery?.submission_id], ['delivered', 1, null])
  const [request] = receiver.requests
  const expected = { email: 'sample@example.com', test: true, delivery: delivery?.id }
  assert.deepEqual(JSON.parse(request?.body ?? ''), expected)
  assert.match(String(request?.headers['x-signature']), /^sha256=/)
  assert.equal((await listAttempts(db)).length, 1)
})

test('a test of a stored submission sends its answers once, even while the webhook is off', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 410)
  const submissionId = await submit(db)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: receiver.url, enabled: false })
  await sendTestDelivery(db, id, { ...TEST, submissionId })
  aDispatcher(t, db).dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  const { data } = JSON.parse(receiver.requests[0]?.body ?? '')
  assert.deepEqual([data.submission.answers, data.meta.is_test], [{ email: 'a@example.com' }, true])
  assert.deepEqual([delivery?.status, delivery?.outcome_code], ['failed', 'test_failed'])
  const webhook = await db.selectFrom('form_webhooks').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([webhook.disabled_code, webhook.failing_since], [null, null])
})

test('a test without a subject is refused', async (t) => {
  const db = await openTestDatabase(t)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: 'https://a.example.com' })
  assert.deepEqual(await sendTestDelivery(db, id + 1, TEST), { kind: 'webhook_not_found' })
  assert.deepEqual(await sendTestDelivery(db, id, { ...TEST, submissionId: 99 }), {
    kind: 'submission_not_found',
  })
  await pauseWebhook(db, id, { now: NOW })
  assert.deepEqual(await sendTestDelivery(db, id, TEST), { kind: 'paused' })
})

for (const mode of ['same_bytes', 'render_again'] as const) {
  test(`contract §6: replay ${mode} of a failed delivery makes a new delivery with a new log`, async (t) => {
    const db = await openTestDatabase(t)
    const receiver = await startReceiver(t, 500, 200)
    const webhook = { url: receiver.url, max_retries: 0, payload_template: { version: 1 } }
    await haveWebhooks(db, webhook)
    await submit(db)
    const { dispatcher } = aDispatcher(t, db)
    dispatcher.start()
    const [first] = await settledDeliveries(db)
    await haveWebhooks(db, { ...webhook, payload_template: { version: 2 } })
    const replay = await replayDelivery(db, first?.id ?? 0, { scope: EVERY_LEAD, ...TEST, mode })
    dispatcher.wake()
    const [before, again] = await settledDeliveries(db)
    assert.deepEqual(replay, { kind: 'queued', deliveryId: again?.id })
    assert.deepEqual([before?.status, again?.status, again?.replay_of], ['failed', 'delivered', first?.id])
    const [one, two] = receiver.requests
    const isSame = mode === 'same_bytes'
    assert.equal(two?.body, isSame ? one?.body : '{"version":2}')
    assert.equal(two?.headers['webhook-id'] === one?.headers['webhook-id'], isSame)
    assert.deepEqual(
      (await listAttempts(db)).map((attempt) => [attempt.delivery_id, attempt.attempt_number]),
      [
        [first?.id, 1],
        [again?.id, 1],
      ],
    )
  })
}

test('contract §6: a delivery that can’t be resent says why', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  const skipping = { name: 'a', url: receiver.url, fire_on: { role: 'owner' } }
  const pending = { name: 'b', url: receiver.url }
  await haveWebhooks(db, skipping, pending)
  await submit(db)
  const ids = (await db.selectFrom('webhook_deliveries').select('id').orderBy('id').execute()).map(
    ({ id }) => id,
  )
  const [skipped = 0, waiting = 0] = ids
  const replays = await replayDeliveries(db, [skipped, waiting, 99], {
    scope: EVERY_LEAD,
    ...TEST,
    mode: 'same_bytes',
  })
  assert.deepEqual(
    [...replays.values()].map(({ kind }) => kind),
    ['nothing_was_sent', 'unfinished', 'not_found'],
  )
  await haveWebhooks(db, { ...skipping, enabled: false })
  const again = { ...TEST, mode: 'render_again' } as const
  assert.deepEqual(await replayDelivery(db, skipped, { ...again, scope: EVERY_LEAD }), {
    kind: 'webhook_off',
  })
  assert.deepEqual(await replayDelivery(db, waiting, { ...again, scope: EVERY_LEAD }), {
    kind: 'webhook_gone',
  })
})

test('contract §6: a time window replays each failed delivery once', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 500)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: receiver.url, max_retries: 0 })
  for (let n = 0; n < 3; n++) await submit(db)
  aDispatcher(t, db).dispatcher.start()
  const [first] = await settledDeliveries(db)
  const early = { created_at: '2026-11-19T10:00:00.000Z' }
  await db
    .updateTable('webhook_deliveries')
    .set(early)
    .where('id', '=', first?.id ?? 0)
    .execute()
  const options = { ...TEST, mode: 'same_bytes' } as const
  const window = { webhookId: id, from: '2026-11-20T00:00:00.000Z', until: undefined }
  assert.equal((await replayMatching(db, window, { ...options, scope: EVERY_LEAD })).size, 2)
  assert.equal((await replayMatching(db, window, { ...options, scope: EVERY_LEAD })).size, 0)
  assert.equal((await replayMatching(db, { webhookId: id }, { ...options, scope: EVERY_LEAD })).size, 1)
})

for (const mode of ['same_bytes', 'render_again'] as const) {
  test(`contract §6: a time window replays ${mode} delivered ones too, on request`, async (t) => {
    const db = await openTestDatabase(t)
    const receiver = await startReceiver(t, 200)
    const webhook = { url: receiver.url, payload_template: { version: 1 } }
    const [{ id } = { id: 0 }] = await haveWebhooks(db, webhook)
    for (let n = 0; n < 2; n++) await submit(db)
    const { dispatcher } = aDispatcher(t, db)
    dispatcher.start()
    await settledDeliveries(db)
    await haveWebhooks(db, { ...webhook, payload_template: { version: 2 } })
    const options = { ...TEST, mode }
    const window = { webhookId: id, from: '2026-11-20T00:00:00.000Z', until: '2026-11-20T11:00:00.000Z' }
    assert.equal((await replayMatching(db, window, { ...options, scope: EVERY_LEAD })).size, 0)
    const replays = await replayMatching(
      db,
      { ...window, status: 'delivered' },
      { ...options, scope: EVERY_LEAD },
    )
    assert.deepEqual(
      [...replays.values()].map(({ kind }) => kind),
      ['queued', 'queued'],
    )
    dispatcher.wake()
    await settledDeliveries(db)
    const before = receiver.requests.slice(0, 2)
    const again = receiver.requests.slice(2)
    const isSame = mode === 'same_bytes'
    for (const { body } of again) assert.equal(body, `{"version":${isSame ? 1 : 2}}`)
    const idsOf = (requests: typeof before) => requests.map(({ headers }) => headers['webhook-id']).sort()
    const shared = idsOf(again).filter((one) => idsOf(before).includes(one))
    assert.deepEqual(shared, isSame ? idsOf(before) : [])
  })
}

test('contract §6: only pending deliveries can be canceled', async (t) => {
  const db = await openTestDatabase(t)
  const [a, b] = await haveWebhooks(
    db,
    { name: 'a', url: 'https://a.example.com' },
    { name: 'b', url: 'https://a.example.com' },
  )
  await submit(db)
  assert.equal(await cancelDeliveries(db, { scope: EVERY_LEAD, ids: [] }, { now: NOW }), 0)
  assert.equal(await cancelDeliveries(db, { scope: EVERY_LEAD, webhookId: a?.id }, { now: NOW }), 1)
  const rows = await db.selectFrom('webhook_deliveries').selectAll().orderBy('id').execute()
  assert.deepEqual(
    rows.map((row) => [row.webhook_id, row.status, row.outcome_code, row.next_attempt_at === null]),
    [
      [a?.id, 'cancelled', 'by_hand', true],
      [b?.id, 'pending', null, false],
    ],
  )
})

test('contract §6: canceling can be limited to a submission, tests, a form, and a time', async (t) => {
  const db = await openTestDatabase(t)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: 'https://a.example.com' })
  const created = ['10:00', '11:00', '12:00', '13:00'].map((time) => `2026-11-20T${time}:00.000Z`)
  const submissions = await Array.fromAsync(created, () => submit(db))
  for (const [index, created_at] of created.entries())
    await db
      .updateTable('webhook_deliveries')
      .set({ created_at })
      .where('submission_id', '=', submissions[index] ?? 0)
      .execute()
  await sendTestDelivery(db, id, TEST)
  const pending = async () => {
    const rows = await db
      .selectFrom('webhook_deliveries')
      .select('submission_id')
      .where('status', '=', 'pending')
      .orderBy('id')
      .execute()
    return rows.map(({ submission_id }) => submission_id)
  }
  const [first, second, third, fourth] = submissions
  for (const [which, count, left] of [
    [{ formId: 2 }, 0, [first, second, third, fourth, null]],
    [{ isTest: true }, 1, [first, second, third, fourth]],
    [{ submissionId: second }, 1, [first, third, fourth]],
    [{ from: created[1], until: created[3] }, 1, [first, fourth]],
    [{ isTest: true }, 0, [first, fourth]],
    [{ formId: 1, isTest: false, until: created[1] }, 1, [fourth]],
    [{ from: created[3] }, 1, []],
  ] as const) {
    assert.equal(
      await cancelDeliveries(db, { ...which, scope: EVERY_LEAD }, { now: NOW }),
      count,
      JSON.stringify(which),
    )
    assert.deepEqual(await pending(), left, JSON.stringify(which))
  }
  const rows = await db.selectFrom('webhook_deliveries').select('finished_at').execute()
  assert.deepEqual([...new Set(rows.map(({ finished_at }) => finished_at))], [NOW.toISOString()])
})

test('contract §6: a paused webhook keeps its queue and sends it on resume; others continue', async (t) => {
  const db = await openTestDatabase(t)
  const paused = await startReceiver(t, 200)
  const other = await startReceiver(t, 200)
  const [{ id } = { id: 0 }] = await haveWebhooks(
    db,
    { name: 'paused', url: paused.url },
    { name: 'other', url: other.url },
  )
  assert.equal(await pauseWebhook(db, id, { now: NOW }), true)
  for (let n = 0; n < 3; n++) await submit(db)
  const { dispatcher } = aDispatcher(t, db)
  dispatcher.start()
  await waitUntil('the others delivered', async () => {
    const rows = await db.selectFrom('webhook_deliveries').select('status').execute()
    return rows.filter(({ status }) => status === 'delivered').length === 3
  })
  assert.equal(paused.requests.length, 0)
  await resumeWebhook(db, id)
  dispatcher.wake()
  assert.equal((await paused.waitForRequests(3)).length, 3)
  assert.equal(await resumeWebhook(db, 99), false)
})

test('deleting a webhook cancels its pending deliveries with the reason', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { url: 'https://a.example.com' })
  await submit(db)
  await haveWebhooks(db)
  const row = await db.selectFrom('webhook_deliveries').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([row.status, row.outcome_code], ['cancelled', 'webhook_deleted'])
})

for (const [what, reason, changes] of [
  ['switched off', 'webhook_off', [{ enabled: false }]],
  ['deleted', 'webhook_deleted', []],
] as const) {
  test(`a pending retry and a failing attempt end when their webhook is ${what}`, async (t) => {
    const db = await openTestDatabase(t)
    let answer = () => {}
    const receiver = await startReceiver(t, 500, (response) => {
      answer = () => response.writeHead(500).end()
    })
    await haveWebhooks(db, { url: receiver.url })
    const { dispatcher } = aDispatcher(t, db, { retryScheduleMs: [3_600_000] })
    dispatcher.start()
    await submit(db)
    dispatcher.wake()
    const waiting = db.selectFrom('webhook_deliveries').select('id').where('attempt_count', '=', 1)
    await waitUntil('a retry that waits', () => waiting.executeTakeFirst())
    await submit(db)
    dispatcher.wake()
    await receiver.waitForRequests(2)
    await haveWebhooks(db, ...changes.map((change) => ({ url: receiver.url, ...change })))
    answer()
    assert.deepEqual(
      (await settledDeliveries(db)).map((row) => [row.status, row.outcome_code, row.next_attempt_at]),
      [
        ['cancelled', reason, null],
        ['cancelled', reason, null],
      ],
    )
  })
}

test('a disabled webhook keeps its pending tests', async (t) => {
  const db = await openTestDatabase(t)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: 'https://a.example.com' })
  await sendTestDelivery(db, id, TEST)
  await haveWebhooks(db, { url: 'https://a.example.com', enabled: false })
  assert.equal((await db.selectFrom('webhook_deliveries').selectAll().executeTakeFirst())?.status, 'pending')
})

test('a submission marked as not spam gets deliveries once, by the current webhooks', async (t) => {
  const db = await openTestDatabase(t)
  const submissionId = await submit(db)
  const receiver = await startReceiver(t, 200)
  await haveWebhooks(
    db,
    { name: 'all', url: receiver.url },
    { name: 'owners', url: receiver.url, fire_on: { role: 'owner' } },
  )
  const options = { siteUrl: SITE_URL, now: NOW }
  assert.deepEqual(await deliverSubmission(db, submissionId, options), { kind: 'planned', count: 2 })
  assert.deepEqual(await deliverSubmission(db, submissionId, options), { kind: 'delivered_before' })
  assert.deepEqual(await deliverSubmission(db, 99, options), { kind: 'not_found' })
  aDispatcher(t, db).dispatcher.start()
  assert.deepEqual(
    (await settledDeliveries(db)).map(({ status }) => status),
    ['delivered', 'skipped'],
  )
})

test('a delivery that fails after its lead was marked as spam stops, and resumes when unmarked', async (t) => {
  const db = await openTestDatabase(t)
  let answer = () => {}
  const receiver = await startReceiver(
    t,
    (response) => {
      answer = () => response.writeHead(500).end()
    },
    200,
  )
  await haveWebhooks(db, { url: receiver.url })
  const submissionId = await submit(db)
  const { dispatcher } = aDispatcher(t, db)
  dispatcher.start()
  await receiver.waitForRequests(1)
  await markSpam(db, submissionId, { scope: EVERY_LEAD, now: new Date() })
  answer()
  const [cancelled] = await settledDeliveries(db)
  assert.deepEqual(
    [cancelled?.status, cancelled?.outcome_code, cancelled?.attempt_count],
    ['cancelled', 'spam', 1],
  )
  await markNotSpam(db, submissionId, {
    scope: EVERY_LEAD,
    siteUrl: SITE_URL,
    sendsMail: false,
    now: new Date(),
  })
  dispatcher.wake()
  const [delivered] = await settledDeliveries(db)
  assert.deepEqual([delivered?.status, delivered?.attempt_count], ['delivered', 2])
})

test('contract §6: replaying a time window excludes spam, which resumes once when unmarked', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 500, 200)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: receiver.url })
  const submissionId = await submit(db)
  const { dispatcher } = aDispatcher(t, db, { retryScheduleMs: [3_600_000] })
  dispatcher.start()
  await waitUntil('an attempt', () =>
    db.selectFrom('webhook_deliveries').select('id').where('attempt_count', '=', 1).executeTakeFirst(),
  )
  await markSpam(db, submissionId, { scope: EVERY_LEAD, now: NOW })
  const options = { ...TEST, mode: 'same_bytes' } as const
  const [replay] = (await replayMatching(db, { webhookId: id }, { ...options, scope: EVERY_LEAD })).values()
  assert.deepEqual(replay, { kind: 'spam' })
  await markNotSpam(db, submissionId, { scope: EVERY_LEAD, siteUrl: SITE_URL, sendsMail: false, now: NOW })
  dispatcher.wake()
  const [delivery, ...more] = await settledDeliveries(db)
  assert.deepEqual([delivery?.status, more.length, receiver.requests.length], ['delivered', 0, 2])
})

for (const [method, what, kind] of [
  ['GET', 'had none', 'queued'],
  ['POST', 'is gone', 'nothing_was_sent'],
] as const) {
  test(`resending the same bytes of a ${method} delivery whose body ${what}: ${kind}`, async (t) => {
    const db = await openTestDatabase(t)
    const receiver = await startReceiver(t, 200)
    await haveWebhooks(db, { url: receiver.url, method })
    await submit(db)
    aDispatcher(t, db).dispatcher.start()
    const [sent] = await settledDeliveries(db)
    await db.deleteFrom('delivery_bodies').execute()
    const again = { ...TEST, scope: EVERY_LEAD, mode: 'same_bytes' } as const
    assert.equal((await replayDelivery(db, sent?.id ?? 0, again)).kind, kind)
  })
}

test('the same bytes of a GET delivery that was never sent can’t be resent', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { url: 'https://a.example.com', method: 'GET' })
  await submit(db)
  await cancelDeliveries(db, { scope: EVERY_LEAD }, { now: NOW })
  const { id } = await db.selectFrom('webhook_deliveries').select('id').executeTakeFirstOrThrow()
  const again = { ...TEST, scope: EVERY_LEAD, mode: 'same_bytes' } as const
  assert.deepEqual(await replayDelivery(db, id, again), { kind: 'nothing_was_sent' })
})

test('a delivery resent to a paused webhook waits, and says so', async (t) => {
  const db = await openTestDatabase(t)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: 'https://a.example.com' })
  await submit(db)
  await cancelDeliveries(db, { scope: EVERY_LEAD }, { now: NOW })
  const [{ id: delivery } = { id: 0 }] = await db.selectFrom('webhook_deliveries').select('id').execute()
  const replay = () => replayDelivery(db, delivery, { ...TEST, scope: EVERY_LEAD, mode: 'render_again' })
  assert.deepEqual(await replay(), { kind: 'queued', deliveryId: delivery + 1 })
  await pauseWebhook(db, id, { now: NOW })
  assert.deepEqual(await replay(), { kind: 'queued', deliveryId: delivery + 2, isPaused: true })
})
