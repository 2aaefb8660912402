// biome-ignore-all lint/suspicious/noTemplateCurlyInString: webhooks name values of the environment like this

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { describeReason } from '#src/messages/admin/webhooks/reasons.ts'
import { getDeliveryStory } from '#src/webhooks/deliveries/delivery-story.ts'
import { previewWebhook } from '#src/webhooks/trials/preview-webhook.ts'
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

const TOKEN = 'token-1-in-clear'
const PATH = 'path-1-in-clear'
const WEBHOOK = {
  url: 'http://127.0.0.1:${HOOK_PORT}/${HOOK_PATH}',
  headers: { 'X-Team': '${HOOK_TOKEN}', Authorization: 'Bearer ${HOOK_TOKEN}' },
}

test('contract §3 environment values are sent but never stored, logged, or previewed, even if the receiver echoes them', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, (response, { headers, path }) => {
    const echo = `${headers.authorization} ${path}`
    response.writeHead(200, { 'x-echo': String(headers['x-team']) }).end(echo)
  })
  const [webhook] = await haveWebhooks(db, WEBHOOK)
  const submissionId = await submit(db)
  const logged: object[] = []
  const log = (details: object) => logged.push(details)
  const environment = { HOOK_PORT: `${receiver.port}`, HOOK_TOKEN: TOKEN, HOOK_PATH: PATH }
  const { dispatcher } = aDispatcher(t, db, { environment, logger: { info: log, warn: log, error: log } })
  dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  assert.equal(delivery?.status, 'delivered')
  const [request] = receiver.requests
  assert.deepEqual(
    [request?.path, request?.headers['x-team'], request?.headers.authorization],
    [`/${PATH}`, TOKEN, `Bearer ${TOKEN}`],
  )
  const story = await getDeliveryStory(db, delivery?.id ?? 0, { scope: EVERY_LEAD, siteUrl: SITE_URL })
  const [attempt] = story?.attempts ?? []
  assert.equal(attempt?.url, WEBHOOK.url)
  assert.equal(attempt?.responseBody, 'Bearer ${HOOK_TOKEN} /${HOOK_PATH}')
  assert.equal(attempt?.responseHeaders?.['x-echo'], '${HOOK_TOKEN}')
  const preview = await previewWebhook(db, webhook?.id ?? 0, submissionId, { siteUrl: SITE_URL })
  const rows = [await listAttempts(db), (await sql`select * from form_webhooks`.execute(db)).rows]
  assert.doesNotMatch(JSON.stringify([story, preview, rows, delivery, logged]), /in-clear/)
})

test('a failed request doesn’t reveal the environment value in its URL', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { url: '${HOOK_URL}', max_retries: 0 })
  await submit(db)
  const environment = { HOOK_URL: 'https://nowhere.example/path-1-in-clear' }
  const resolve = async () => Promise.reject(new Error('ENOTFOUND'))
  aDispatcher(t, db, { environment, resolve }).dispatcher.start()
  const [delivery] = await settledDeliveries(db)
  assert.equal(delivery?.status, 'failed')
  assert.doesNotMatch(JSON.stringify([delivery, await listAttempts(db)]), /in-clear/)
})

for (const [name, value, problem] of [
  [
    'is missing',
    undefined,
    'HOOK_TOKEN is not set in the environment. Set it there or in .env, and restart the server',
  ],
  [
    'is empty',
    '',
    'HOOK_TOKEN is not set in the environment. Set it there or in .env, and restart the server',
  ],
  [
    'has a line break',
    'a\r\nHost: evil',
    'one of the webhook’s headers is not valid with the current environment variables',
  ],
] as const) {
  test(`a delivery waits while an environment value ${name}, and the log says so`, async (t) => {
    const db = await openTestDatabase(t)
    const receiver = await startReceiver(t, 200)
    const [webhook] = await haveWebhooks(db, { url: receiver.url, headers: { 'X-Token': '${HOOK_TOKEN}' } })
    await submit(db)
    const { dispatcher, errors } = aDispatcher(t, db, {
      environment: value === undefined ? {} : { HOOK_TOKEN: value },
    })
    dispatcher.start()
    await waitUntil('a logged error', async () => errors.length > 0)
    assert.deepEqual(errors, [{ webhookId: webhook?.id, problem }])
    const row = await db.selectFrom('webhook_deliveries').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual([row.status, row.attempt_count, receiver.requests.length], ['pending', 0, 0])
  })
}

test('a delivery waits while its URL with the environment’s value is none, and the log doesn’t show it', async (t) => {
  const db = await openTestDatabase(t)
  const [webhook] = await haveWebhooks(db, { url: '${HOOK_URL}' })
  await submit(db)
  const { dispatcher, errors } = aDispatcher(t, db, { environment: { HOOK_URL: 'token-1-in-clear' } })
  dispatcher.start()
  await waitUntil('a logged error', async () => errors.length > 0)
  const problem = describeReason({ code: 'url_invalid', params: { url: '${HOOK_URL}' } })
  assert.deepEqual(errors, [{ webhookId: webhook?.id, problem }])
})
