import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { describeReason } from '#src/messages/admin/webhooks/reasons.ts'
import { deleteSubmissions } from '#src/submissions/retention/retention-store.ts'
import { META_KEYS } from '#src/templates/meta.ts'
import { generateSigningSecret } from '#src/webhooks/secrets/signing-secrets.ts'
import { assertWithin } from '../../support/assert-within.ts'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { waitUntil } from './wait-until.ts'
import {
  aDispatcher,
  haveWebhooks,
  listAttempts,
  listDeliveries,
  settledDeliveries,
  submit,
} from './webhook-world.ts'

test('§6.1 a submission is delivered as soon as the dispatcher wakes', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  await haveWebhooks(db, { url: receiver.url, headers: { 'X-Team': 'sales' } })
  const { dispatcher } = aDispatcher(t, db)
  dispatcher.start()
  const submissionId = await submit(db)
  dispatcher.wake()
  const [delivery] = await settledDeliveries(db)
  assert.equal(delivery?.status, 'delivered')
  const [request] = receiver.requests
  assert.equal(request?.method, 'POST')
  assert.equal(request?.headers['content-type'], 'application/json')
  assert.match(request?.headers['user-agent'] ?? '', /^Signpost\/\d/)
  assert.equal(request?.headers['x-team'], 'sales')
  assert.equal(request?.headers['webhook-id'], delivery?.message_id)
  assert.match(delivery?.message_id ?? '', /^msg_[\w-]{24}$/)
  assert.equal(request?.headers['x-signature'], undefined)
  assert.equal(request?.body, delivery?.body)
  const body = JSON.parse(request?.body ?? '')
  assert.deepEqual(body.data.submission.answers, { email: 'a@example.com' })
  assert.deepEqual(Object.keys(body.data.meta).sort(), [...META_KEYS].sort())
  const told = Object.entries(body.data.meta).filter(([, value]) => value !== null)
  assert.deepEqual(Object.fromEntries(told), {
    ...{ submission_id: submissionId, form_id: 1, form_slug: 'waitlist', form_name: 'Waitlist' },
    ...{ webhook_id: delivery?.webhook_id, webhook_name: 'Webhook', delivery_id: delivery?.id },
    submitted_at: '2026-11-20T10:00:00.000Z',
    page_url: 'https://www.example.com/services/ac-repair/austin',
    ...{ page_path: '/services/ac-repair/austin', service_slug: 'ac-repair', location_slug: 'austin' },
    ...{ location_name: 'Austin', location_path: 'usa/texas/austin', site_url: 'https://www.example.com' },
    admin_url: `https://www.example.com/admin/inbox/${submissionId}`,
    is_test: false,
  })
})

for (const [name, secret, key] of [
  ['a text', "It's a Secret to Everybody", Buffer.from("It's a Secret to Everybody").toString('base64')],
  ['whsec_', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
] as const) {
  test(`§5.2 standardwebhooks verifies a delivery signed with ${name}`, async (t) => {
    const db = await openTestDatabase(t)
    const receiver = await startReceiver(t, 200)
    await haveWebhooks(db, { url: receiver.url, signing_secret: secret })
    await submit(db, { answers: { name: 'Žofie ✓', note: '{{x}}\n"' } })
    aDispatcher(t, db).dispatcher.start()
    const [request] = await receiver.waitForRequests(1)
    const { body = '', headers = {} } = request ?? {}
    assert.ok(new StandardWebhook(key).verify(body, headers as Record<string, string>))
    assert.match(String(headers['x-signature']), /^sha256=[0-9a-f]{64}$/)
  })
}

test('§6.3 a failed delivery is retried with the same body and webhook-id, even if the webhook changed', async (t) => {
  const db = await openTestDatabase(t)
  let edit = async () => {}
  const first = (response: { writeHead(status: number): { end(): void } }) => {
    edit().then(() => response.writeHead(500).end())
  }
  const receiver = await startReceiver(t, first, 200)
  const webhook = { name: 'A', url: receiver.url, payload_template: { version: 1 } }
  await haveWebhooks(db, webhook)
  edit = async () => {
    await haveWebhooks(db, { ...webhook, url: `${receiver.url}/new`, payload_template: { version: 2 } })
  }
  await submit(db)
  aDispatcher(t, db).dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  const [one, two] = receiver.requests
  assert.equal(delivery?.status, 'delivered')
  assert.equal(delivery?.attempt_count, 2)
  assert.equal(one?.body, '{"version":1}')
  assert.equal(two?.body, one?.body)
  assert.equal(two?.path, '/new')
  assert.equal(two?.headers['webhook-id'], one?.headers['webhook-id'])
  const attempts = await listAttempts(db)
  assert.deepEqual(
    attempts.map((attempt) => [attempt.attempt_number, attempt.response_status, attempt.failure_kind]),
    [
      [1, 500, 'status'],
      [2, 200, null],
    ],
  )
})

for (const max_retries of [0, 2, 50]) {
  test(`§6.3 with max_retries ${max_retries} a delivery fails after ${max_retries + 1} attempts`, async (t) => {
    const db = await openTestDatabase(t)
    const receiver = await startReceiver(t, 503)
    await haveWebhooks(db, { url: receiver.url, max_retries })
    await submit(db)
    aDispatcher(t, db).dispatcher.start()
    const [delivery] = await settledDeliveries(db)
    assert.ok(delivery)
    assert.equal(delivery.status, 'failed')
    assert.equal(delivery.outcome_code, 'attempts_failed')
    const attempts = { attempts: max_retries + 1, message: 'HTTP 503' }
    assert.deepEqual(JSON.parse(delivery.outcome_params_json ?? ''), attempts)
    assert.equal(delivery?.next_attempt_at, null)
    assert.equal(receiver.requests.length, max_retries + 1)
  })
}

test('contract §6: a retry waits for the schedule, or longer if Retry-After says so', async (t) => {
  const db = await openTestDatabase(t)
  const polite = await startReceiver(t, { status: 503, headers: { 'retry-after': '3600' } })
  const plain = await startReceiver(t, 503)
  await haveWebhooks(db, { name: 'polite', url: polite.url }, { name: 'plain', url: plain.url })
  await submit(db)
  const now = new Date('2026-11-20T10:00:05.000Z')
  aDispatcher(t, db, { now: () => now, random: () => 1, retryScheduleMs: [10_000] }).dispatcher.start()
  const rows = await waitUntil('two attempts', async () => {
    const found = await db.selectFrom('webhook_deliveries').selectAll().orderBy('id').execute()
    return found.every((row) => row.attempt_count === 1) && found
  })
  assert.deepEqual(
    rows.map((row) => [row.status, row.next_attempt_at]),
    [
      ['pending', '2026-11-20T11:00:05.000Z'],
      ['pending', '2026-11-20T10:00:17.000Z'],
    ],
  )
})

test('contract §6: 410 fails at once and disables the webhook', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 410)
  await haveWebhooks(db, { url: receiver.url })
  await submit(db)
  aDispatcher(t, db).dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  assert.deepEqual([delivery?.status, delivery?.attempt_count], ['failed', 1])
  assert.equal(delivery?.outcome_code, 'gone')
  const webhook = await db.selectFrom('form_webhooks').select('enabled').executeTakeFirstOrThrow()
  assert.equal(webhook.enabled, 0)
})

test('contract §6: a timeout is recorded and retried', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, () => {}, 200)
  await haveWebhooks(db, { url: receiver.url })
  await submit(db)
  aDispatcher(t, db, { timeoutMs: 100 }).dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  assert.equal(delivery?.status, 'delivered')
  assert.equal((await listAttempts(db))[0]?.failure_kind, 'timeout')
})

test('contract §6: a private address is refused and recorded without a connection', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  await haveWebhooks(db, { url: receiver.url, max_retries: 0 })
  await submit(db)
  aDispatcher(t, db, { allow: [] }).dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  assert.equal(delivery?.status, 'failed')
  assert.equal((await listAttempts(db))[0]?.failure_kind, 'blocked_address')
  assert.equal(receiver.connectionCount(), 0)
})

test('§6.1 a webhook whose condition fails leaves a skipped delivery with the rule; a disabled one leaves none', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  await haveWebhooks(
    db,
    { name: 'owners', url: receiver.url, fire_on: { role: 'owner' } },
    { name: 'off', url: receiver.url, enabled: false },
    {
      name: 'texas',
      url: receiver.url,
      fire_on: { field: 'meta.location_slug', op: 'within', value: 'texas' },
    },
  )
  await submit(db, { answers: { role: 'agency' } })
  aDispatcher(t, db).dispatcher.start()
  const deliveries = await settledDeliveries(db)
  assert.deepEqual(
    deliveries.map((delivery) => [delivery.status, delivery.outcome_code]),
    [
      ['skipped', 'rule_failed'],
      ['delivered', null],
    ],
  )
  assert.equal(receiver.requests.length, 1)
})

for (const text of ['{"role":null}', 'not json', '{"op":"sql"}']) {
  test(`contract §6: the unreadable stored condition ${text} doesn’t fire`, async (t) => {
    const db = await openTestDatabase(t)
    await haveWebhooks(db, { url: 'http://127.0.0.1:1' })
    await db.updateTable('form_webhooks').set({ fire_on_json: text }).execute()
    await submit(db)
    const [delivery] = await settledDeliveries(db)
    assert.equal(delivery?.status, 'skipped')
    assert.equal(delivery?.outcome_code, 'condition_unreadable')
  })
}

test('disabling a webhook before an attempt cancels the delivery', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  await haveWebhooks(db, { url: receiver.url })
  await submit(db)
  await db.updateTable('form_webhooks').set({ enabled: 0 }).execute()
  aDispatcher(t, db).dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  assert.deepEqual([delivery?.status, delivery?.outcome_code], ['cancelled', 'webhook_off'])
  assert.equal(receiver.requests.length, 0)
})

test('deleting a webhook before an attempt cancels the delivery', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { url: 'http://127.0.0.1:1' })
  await submit(db)
  await haveWebhooks(db)
  aDispatcher(t, db).dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  assert.deepEqual([delivery?.status, delivery?.outcome_code], ['cancelled', 'webhook_deleted'])
})

for (const [name, column, reason] of [
  ['template', { payload_template_json: '{' }, 'template_unreadable'],
  ['headers', { headers_json: '{"Host":"x"}' }, 'headers_unusable'],
  ['method', { method: 'TRACE' }, 'method_unusable'],
] as const) {
  test(`a delivery whose webhook has an invalid ${name} fails with the reason, and others continue`, async (t) => {
    const db = await openTestDatabase(t)
    const receiver = await startReceiver(t, 200)
    const [broken] = await haveWebhooks(
      db,
      { name: 'broken', url: receiver.url },
      { name: 'sound', url: receiver.url },
    )
    await db
      .updateTable('form_webhooks')
      .set(column)
      .where('id', '=', broken?.id ?? 0)
      .execute()
    await submit(db)
    const { dispatcher, errors } = aDispatcher(t, db)
    dispatcher.start()
    const [failed, delivered] = await settledDeliveries(db)
    assert.equal(failed?.status, 'failed')
    assert.equal(failed?.outcome_code, reason)
    assert.equal(delivered?.status, 'delivered')
    assert.deepEqual(errors, [])
  })
}

test('a delivery with an undecryptable secret waits, is logged, and is sent once the key is right', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  const [webhook] = await haveWebhooks(db, { url: receiver.url, signing_secret: 'a secret' })
  await submit(db)
  const wrong = createSecretBox(new Uint8Array(32).fill(8))
  const { dispatcher, errors } = aDispatcher(t, db, { secretBox: wrong })
  dispatcher.start()
  await waitUntil('a logged error', async () => errors.length > 0)
  await dispatcher.stop()
  assert.deepEqual(errors, [{ webhookId: webhook?.id, problem: describeReason({ code: 'secret_sealed' }) }])
  const waiting = await db.selectFrom('webhook_deliveries').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([waiting.status, waiting.attempt_count], ['pending', 0])
  assert.equal(waiting.outcome_code, 'secret_sealed')
  assert.ok((waiting.next_attempt_at ?? '') > new Date().toISOString(), 'it is not asked for all the time')

  const nextMinute = () => new Date(Date.now() + 61_000)
  aDispatcher(t, db, { now: nextMinute }).dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  assert.deepEqual([delivery?.status, delivery?.outcome_code], ['delivered', null])
})

test('§2.4 unreadable answers fail the delivery with the reason', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { url: 'http://127.0.0.1:1' })
  await submit(db)
  await db.updateTable('form_submissions').set({ data_json: '[' }).execute()
  aDispatcher(t, db).dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  assert.deepEqual([delivery?.status, delivery?.outcome_code], ['failed', 'answers_unreadable'])
})

test('the claims of a killed process are resumed at the start, with their rendered body', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  await haveWebhooks(db, { url: receiver.url })
  await submit(db)
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'delivering', lease_expires_at: '2999-01-01T00:00:00.000Z' })
    .execute()
  const [delivery_id = 0] = (await listDeliveries(db)).map(({ id }) => id)
  await db.insertInto('delivery_bodies').values({ delivery_id, body: '{"first":true}' }).execute()
  aDispatcher(t, db).dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  assert.equal(delivery?.status, 'delivered')
  assert.equal(receiver.requests[0]?.body, '{"first":true}')
})

test('a slow receiver uses only its share of the slots while others are served', async (t) => {
  const db = await openTestDatabase(t)
  const slow = await startReceiver(t, () => {})
  const quick = await startReceiver(t, 200)
  await haveWebhooks(db, { name: 'slow', url: slow.url })
  for (let n = 0; n < 40; n++) await submit(db)
  await haveWebhooks(db, { name: 'quick', url: quick.url }, { name: 'slow', url: slow.url })
  for (let n = 0; n < 5; n++) await submit(db)
  const { dispatcher } = aDispatcher(t, db, { maxInFlight: 6, maxPerOrigin: 4 })
  dispatcher.start()
  await quick.waitForRequests(5)
  assert.equal(slow.requests.length, 1)
})

test('stop waits for the attempt in flight and claims no more', async (t) => {
  const db = await openTestDatabase(t)
  let finish = () => {}
  const receiver = await startReceiver(t, (response) => {
    finish = () => response.writeHead(200).end()
  })
  await haveWebhooks(db, { url: receiver.url })
  await submit(db)
  const { dispatcher } = aDispatcher(t, db)
  dispatcher.start()
  await receiver.waitForRequests(1)
  const stopped = dispatcher.stop()
  await submit(db)
  finish()
  await stopped
  const rows = await db.selectFrom('webhook_deliveries').select('status').orderBy('id').execute()
  assert.deepEqual(
    rows.map((row) => row.status),
    ['delivered', 'pending'],
  )
})

test('an attempt aborted by stop doesn’t count, and the next dispatcher repeats it', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, () => {}, 200)
  await haveWebhooks(db, { url: receiver.url, max_retries: 0 })
  await submit(db)
  const first = aDispatcher(t, db).dispatcher
  first.start()
  await receiver.waitForRequests(1)
  await first.stop({ withinMs: 10 })
  assert.deepEqual(await listAttempts(db), [])
  aDispatcher(t, db).dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  assert.deepEqual([delivery?.status, delivery?.attempt_count], ['delivered', 1])
})

test('a database error is logged and the loop continues', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  await haveWebhooks(db, { url: receiver.url })
  await db.schema.alterTable('form_webhooks').renameTo('moved').execute()
  const { dispatcher, errors } = aDispatcher(t, db)
  dispatcher.start()
  await waitUntil('a logged error', async () => errors.length > 0)
  await db.schema.alterTable('moved').renameTo('form_webhooks').execute()
  await submit(db)
  dispatcher.wake()
  assert.equal((await settledDeliveries(db))[0]?.status, 'delivered')
})

test('an attempt that can’t be recorded fails its delivery with the reason and blocks no other', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  await haveWebhooks(db, { url: receiver.url })
  await submit(db)
  await submit(db)
  await sql`create trigger refuse before insert on delivery_attempts when new.delivery_id = 1
    begin select raise(abort, 'refused'); end`.execute(db)
  const { dispatcher, errors } = aDispatcher(t, db)
  dispatcher.start()
  const [refused, other] = await settledDeliveries(db)
  assert.equal(other?.status, 'delivered')
  assert.equal(refused?.status, 'failed')
  assert.equal(refused?.outcome_code, 'unrecorded')
  assert.equal(receiver.requests.length, 2)
  assert.ok(errors.length > 0)
})

/** Two leads whose webhooks, at two addresses of one receiver, are being sent until `answer` is called. */
async function twoInFlight(t: TestContext) {
  const db = await openTestDatabase(t)
  const held: ServerResponse[] = []
  const receiver = await startReceiver(t, (response) => void held.push(response))
  const answer = () => {
    for (const response of held.splice(0)) response.end()
  }
  const to = (role: string) => ({ name: role, url: `${receiver.url}/${role}`, fire_on: { role } })
  await haveWebhooks(db, to('owner'), to('agency'))
  const owner = await submit(db, { answers: { role: 'owner' } })
  const agency = await submit(db, { answers: { role: 'agency' } })
  const told: object[] = []
  const errors: object[] = []
  const logger = {
    info: (one: object) => told.push(one),
    warn() {},
    error: (one: object) => errors.push(one),
  }
  const { dispatcher } = aDispatcher(t, db, { logger })
  dispatcher.start()
  await receiver.waitForRequests(2)
  return { db, receiver, answer, owner, agency, told, errors, dispatcher }
}

test('a lead deleted while its webhook is being sent is not an error, and keeps no other from being recorded', async (t) => {
  const { db, answer, owner, agency, told, errors, dispatcher } = await twoInFlight(t)
  const [first] = await listDeliveries(db)
  assert.equal(first?.submission_id, owner)
  await deleteSubmissions(db, [owner])
  answer()
  const left = await settledDeliveries(db)
  assert.deepEqual(
    left.map(({ submission_id, status }) => [submission_id, status]),
    [
      [agency, 'skipped'],
      [agency, 'delivered'],
    ],
  )
  await dispatcher.stop()
  assert.deepEqual(errors, [])
  assert.ok(told.some((one) => JSON.stringify(one) === JSON.stringify({ deliveryId: first?.id })))
})

test('attempts that end while nothing can be written are recorded later, and not repeated', async (t) => {
  const { db, receiver, answer, errors, dispatcher } = await twoInFlight(t)
  await sql`pragma query_only = on`.execute(db)
  answer()
  await waitUntil('two failed turns', async () => {
    dispatcher.wake()
    return errors.length >= 4
  })
  await sql`pragma query_only = off`.execute(db)
  dispatcher.wake()
  const sent = (await settledDeliveries(db)).filter(({ status }) => status !== 'skipped')
  assert.deepEqual(
    sent.map(({ status, attempt_count }) => [status, attempt_count]),
    [
      ['delivered', 1],
      ['delivered', 1],
    ],
  )
  assert.equal(receiver.requests.length, 2)
})

test('§5.2 a GET webhook sends no body, and its signature is of an empty one', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  const secret = generateSigningSecret()
  await haveWebhooks(db, { url: receiver.url, method: 'GET', signing_secret: secret })
  await submit(db)
  aDispatcher(t, db).dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  assert.deepEqual([delivery?.status, delivery?.body], ['delivered', null])
  const [request] = receiver.requests
  assert.deepEqual([request?.method, request?.body], ['GET', ''])
  const headers = request?.headers as Record<string, string>
  assert.doesNotThrow(() => new StandardWebhook(secret).verify('', headers))
})

test('a delivery is retried as soon as it is due', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 503)
  await haveWebhooks(db, { url: receiver.url, max_retries: 6 })
  await submit(db)
  const start = performance.now()
  aDispatcher(t, db, { retryScheduleMs: [60], random: () => 0 }).dispatcher.start()
  await settledDeliveries(db)
  const tookMs = performance.now() - start
  assertWithin(tookMs, 4_000)
})

test('a stopped dispatcher leaves no timer behind', async (t) => {
  const { dispatcher } = aDispatcher(t, await openTestDatabase(t))
  const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = countTimers()
  await dispatcher.stop()
  assert.ok(countTimers() <= before)
})

test('an address that fails gets fewer slots, even for deliveries claimed ahead', async (t) => {
  const db = await openTestDatabase(t)
  const held: ServerResponse[] = []
  const receiver = await startReceiver(t, (response) => void held.push(response))
  await haveWebhooks(db, { url: receiver.url })
  await db.transaction().execute(async (trx) => {
    for (let n = 0; n < 20; n++) await submit(trx)
  })
  aDispatcher(t, db, { maxPerOrigin: 4, retryScheduleMs: [60_000] }).dispatcher.start()
  const answer = (status: number) => held.shift()?.writeHead(status).end()
  for (const count of [1, 3]) {
    await receiver.waitForRequests(count)
    answer(200)
  }
  await receiver.waitForRequests(6)
  const claimed = db.selectFrom('webhook_deliveries').select('id').where('status', '=', 'delivering')
  await waitUntil('more claimed than slots', async () => (await claimed.execute()).length > 4)
  const failed = db.selectFrom('delivery_attempts').select('id').where('failure_kind', 'is not', null)
  for (const count of [1, 2, 3]) {
    answer(500)
    await waitUntil(`failure ${count}`, async () => (await failed.execute()).length === count)
  }
  assert.equal(receiver.requests.length, 6)
  answer(200)
  await receiver.waitForRequests(8)
})

test('claims that a failed turn may have left are released, but not those in flight', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, () => {})
  await haveWebhooks(db, { url: receiver.url })
  const inFlight = await submit(db)
  const { dispatcher, errors } = aDispatcher(t, db)
  dispatcher.start()
  await receiver.waitForRequests(1)
  const claims = () =>
    db.selectFrom('webhook_deliveries').select(['submission_id', 'claimed_by']).orderBy('id').execute()
  const [{ claimed_by } = { claimed_by: null }] = await claims()
  const unknown = await db.transaction().execute(async (trx) => {
    const id = await submit(trx)
    const lease = { status: 'delivering', claimed_by, lease_expires_at: '2999-01-01T00:00:00.000Z' } as const
    await trx.updateTable('webhook_deliveries').set(lease).where('submission_id', '=', id).execute()
    return id
  })
  const start = performance.now()
  await db.schema.alterTable('form_webhooks').renameTo('moved').execute()
  dispatcher.wake()
  await waitUntil('a failed turn', async () => errors.length > 0)
  await db.schema.alterTable('moved').renameTo('form_webhooks').execute()
  dispatcher.wake()
  await waitUntil('a released claim', async () => (await claims())[1]?.claimed_by === null)
  assert.ok(performance.now() - start < 3_500, 'sooner than the claims of a dead process')
  assert.deepEqual(await claims(), [
    { submission_id: inFlight, claimed_by },
    { submission_id: unknown, claimed_by: null },
  ])
})
