// biome-ignore-all lint/suspicious/noTemplateCurlyInString: webhooks name values of the environment like this
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { toWebhookDefinition } from '#src/webhooks/definition/webhook-store.ts'
import { rotateSigningSecret } from '#src/webhooks/secrets/rotate-signing-secret.ts'
import { generateSigningSecret } from '#src/webhooks/secrets/signing-secrets.ts'
import { previewWebhook } from '#src/webhooks/trials/preview-webhook.ts'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { waitUntil } from './wait-until.ts'
import {
  aDispatcher,
  haveWebhooks,
  listAttempts,
  SITE_URL,
  secretBox,
  settledDeliveries,
  submit,
} from './webhook-world.ts'

const HEADERS = { Authorization: 'Bearer token-in-clear', 'X-Team': 'sales' }

test('a secret in a header is sent, and never stored, logged, or previewed in plain text', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  const [webhook] = await haveWebhooks(db, { url: receiver.url, headers: HEADERS })
  const submissionId = await submit(db)
  aDispatcher(t, db).dispatcher.start()
  await settledDeliveries(db)
  const [request] = receiver.requests
  assert.deepEqual(
    [request?.headers.authorization, request?.headers['x-team']],
    ['Bearer token-in-clear', 'sales'],
  )
  const { rows } = await sql`select * from form_webhooks`.execute(db)
  const preview = await previewWebhook(db, webhook?.id ?? 0, submissionId, { siteUrl: SITE_URL })
  const shown = JSON.stringify([rows, await listAttempts(db), preview])
  assert.doesNotMatch(shown, /in-clear/)
  assert.match(shown, /sales/)
})

test('secrets echoed by the receiver are stored as dots: encrypted headers, bare tokens, and the signing secret', async (t) => {
  const db = await openTestDatabase(t)
  const signing = generateSigningSecret()
  const receiver = await startReceiver(t, (response, { headers }) => {
    const token = String(headers.authorization).replace('Bearer ', '')
    const body = { all: headers.authorization, token, short: headers['x-api-key'], team: headers['x-team'] }
    response.writeHead(200, { 'x-echo': `got ${token}`, 'x-signed-with': signing })
    response.end(
      JSON.stringify({ ...body, signing: signing.slice('whsec_'.length), plain: 'Bearer a token' }),
    )
  })
  const headers = { ...HEADERS, 'X-Api-Key': 'Key token' }
  const [webhook] = await haveWebhooks(db, { url: receiver.url, headers })
  await rotateSigningSecret(db, webhook?.id ?? 0, { secretBox, now: new Date(), secret: signing })
  await submit(db)
  aDispatcher(t, db).dispatcher.start()
  await settledDeliveries(db)
  const [attempt] = await listAttempts(db)
  const kept = JSON.parse(attempt?.response_headers_json ?? '{}')
  assert.deepEqual([kept['x-echo'], kept['x-signed-with']], ['got ••••', '••••'])
  const shown = { all: '••••', token: '••••', short: '••••', team: 'sales', signing: '••••' }
  assert.deepEqual(JSON.parse(attempt?.response_body ?? ''), { ...shown, plain: 'Bearer a token' })
})

test('a secret typed beside an environment variable is encrypted, sent, and never stored in plain text', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, (response, { headers }) => {
    const [whole, key] = [String(headers['x-api-key']), headers['x-team']]
    response.writeHead(200).end(JSON.stringify({ whole, typed: whole.replace('acme', ''), key }))
  })
  const headers = {
    ...{ 'X-Api-Key': '${TENANT}-s3cr3t-in-clear', 'X-Team': '${TENANT}:0123456789-0123456789-in-clear' },
    ...{ Authorization: 'Bearer ${TENANT}', Cookie: '${TENANT}:${TENANT}' },
  }
  const [webhook] = await haveWebhooks(db, { url: receiver.url, headers })
  const { Authorization, Cookie } = headers
  const { 'X-Api-Key': _, 'X-Team': __, ...named } = webhook?.headers ?? {}
  assert.deepEqual(named, { Authorization, Cookie })
  const submissionId = await submit(db)
  aDispatcher(t, db, { environment: { TENANT: 'acme' } }).dispatcher.start()
  await settledDeliveries(db)
  const [request] = receiver.requests
  assert.equal(request?.headers['x-api-key'], 'acme-s3cr3t-in-clear')
  assert.equal(request?.headers['x-team'], 'acme:0123456789-0123456789-in-clear')
  const [attempt] = await listAttempts(db)
  assert.deepEqual(JSON.parse(attempt?.response_body ?? ''), { whole: '••••', typed: '••••', key: '••••' })
  const { rows } = await sql`select * from form_webhooks`.execute(db)
  const preview = await previewWebhook(db, webhook?.id ?? 0, submissionId, { siteUrl: SITE_URL })
  assert.doesNotMatch(JSON.stringify([rows, attempt, preview]), /in-clear/)
})

test('a header saved unchanged, or with the same value, keeps its ciphertext', async (t) => {
  const db = await openTestDatabase(t)
  const [first] = await haveWebhooks(db, { url: 'https://a.example.com', headers: HEADERS })
  assert.ok(first)
  const [asStored] = await haveWebhooks(db, toWebhookDefinition(first))
  const [asBefore] = await haveWebhooks(db, { url: 'https://a.example.com', headers: HEADERS })
  assert.deepEqual([asStored?.headers, asBefore?.headers], [first.headers, first.headers])
  const [changed] = await haveWebhooks(db, {
    url: 'https://a.example.com',
    headers: { ...HEADERS, Authorization: 'Bearer other-in-clear' },
  })
  assert.notEqual(changed?.headers?.Authorization, first.headers?.Authorization)
  assert.doesNotMatch(JSON.stringify(changed), /in-clear/)
})

test('a secret is bound to its origin: a new origin drops it, and a row moved by hand isn’t sent', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  const former = { url: 'https://a.example.com', headers: HEADERS, signing_secret: 'hush' }
  const [first] = await haveWebhooks(db, former)
  assert.ok(first)
  const [moved] = await haveWebhooks(db, { ...toWebhookDefinition(first), url: receiver.url })
  assert.deepEqual([moved?.headers, moved?.signingSecret], [{ 'X-Team': 'sales' }, null])
  await haveWebhooks(db, former)
  await db.updateTable('form_webhooks').set({ url: receiver.url }).execute()
  await submit(db)
  const { dispatcher, errors } = aDispatcher(t, db)
  dispatcher.start()
  await waitUntil('a logged error', async () => errors.length > 0)
  assert.equal(receiver.requests.length, 0)
})

test('an encrypted header is bound to its row: moved, the delivery waits and is logged', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  const [one, two] = await haveWebhooks(
    db,
    { name: 'one', url: 'https://a.example.com', headers: HEADERS, enabled: false },
    { name: 'two', url: receiver.url },
  )
  const headers_json = JSON.stringify(one?.headers)
  await db
    .updateTable('form_webhooks')
    .set({ headers_json })
    .where('id', '=', two?.id ?? 0)
    .execute()
  await submit(db)
  const { dispatcher, errors } = aDispatcher(t, db)
  dispatcher.start()
  await waitUntil('a logged error', async () => errors.length > 0)
  assert.deepEqual(errors, [
    { webhookId: two?.id, problem: 'the current SECRET_KEY can’t decrypt one of the webhook’s headers' },
  ])
  assert.equal(receiver.requests.length, 0)
})
