import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { pauseWebhook, resumeWebhook } from '#src/webhooks/definition/pause-webhook.ts'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { waitUntil } from './wait-until.ts'
import { aDispatcher, haveWebhooks, listDeliveries, settledDeliveries, submit } from './webhook-world.ts'

const SLOTS = 8
const ANSWERED_AT_ONCE = 12
const DELIVERIES = 60

/** A receiver that answers twelve requests, so that it gets deliveries claimed ahead, and holds the others. */
async function aReceiverThatSlowsDown(t: TestContext) {
  const held: ServerResponse[] = []
  let holds = true
  let answered = 0
  const receiver = await startReceiver(t, (response) => {
    answered += 1
    if (holds && answered > ANSWERED_AT_ONCE) held.push(response)
    else response.writeHead(200).end()
  })
  const letGo = () => {
    holds = false
    for (const response of held.splice(0)) response.writeHead(200).end()
  }
  return { receiver, held, letGo }
}

async function listClaimed(db: Kysely<Schema>) {
  return (await listDeliveries(db)).filter(({ status }) => status === 'delivering')
}

async function aSlowedDispatcher(t: TestContext) {
  const db = await openTestDatabase(t)
  const { receiver, held, letGo } = await aReceiverThatSlowsDown(t)
  const webhook = { name: 'A', url: receiver.url, payload_template: { version: 1 } }
  const [{ id } = { id: 0 }] = await haveWebhooks(db, webhook)
  await db.transaction().execute(async (trx) => {
    for (let n = 0; n < DELIVERIES; n++) await submit(trx)
  })
  const { dispatcher, errors } = aDispatcher(t, db)
  dispatcher.start()
  await waitUntil('more claimed than there are slots', async () => {
    return held.length === SLOTS && (await listClaimed(db)).length > SLOTS
  })
  return { db, id, webhook, receiver, letGo, dispatcher, errors }
}

test('pausing also stops deliveries claimed ahead, which are sent once on resume', async (t) => {
  const { db, id, receiver, letGo, dispatcher, errors } = await aSlowedDispatcher(t)
  await pauseWebhook(db, id, { now: new Date() })
  dispatcher.wake()
  await waitUntil('only the slots are claimed', async () => (await listClaimed(db)).length === SLOTS)
  letGo()
  await waitUntil('the slots are free', async () => (await listClaimed(db)).length === 0)
  assert.equal(receiver.requests.length, ANSWERED_AT_ONCE + SLOTS)
  await resumeWebhook(db, id)
  dispatcher.wake()
  const deliveries = await settledDeliveries(db)
  assert.ok(deliveries.every(({ status, attempt_count }) => status === 'delivered' && attempt_count === 1))
  assert.equal(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size, DELIVERIES)
  assert.equal(receiver.requests.length, DELIVERIES)
  assert.deepEqual(errors, [])
})

test('an edit renders deliveries claimed ahead again', async (t) => {
  const { db, webhook, receiver, letGo, dispatcher } = await aSlowedDispatcher(t)
  await haveWebhooks(db, { ...webhook, payload_template: { version: 2 } })
  dispatcher.wake()
  await waitUntil('no other body waits', async () => {
    const bodies = (await listClaimed(db)).filter(({ body }) => body === '{"version":1}')
    return bodies.length === SLOTS
  })
  letGo()
  await settledDeliveries(db)
  const later = receiver.requests.slice(ANSWERED_AT_ONCE + SLOTS)
  assert.equal(later.length, DELIVERIES - ANSWERED_AT_ONCE - SLOTS)
  assert.ok(later.every(({ body }) => body === '{"version":2}'))
})

test('deliveries claimed ahead become pending again on stop, without a body', async (t) => {
  const { db, dispatcher } = await aSlowedDispatcher(t)
  await dispatcher.stop({ withinMs: 0 })
  assert.deepEqual(await listClaimed(db), [])
  const rows = (await listDeliveries(db)).filter(({ status }) => status === 'pending')
  const rendered = rows.filter(({ body }) => body !== null)
  assert.ok(rendered.length <= SLOTS, `${rendered.length} of ${rows.length} keep a body: those in flight`)
  assert.ok(rows.every(({ attempt_count }) => attempt_count === 0))
})
