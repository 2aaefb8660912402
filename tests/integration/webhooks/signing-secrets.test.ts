import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { findWebhook } from '#src/webhooks/definition/webhook-store.ts'
import { rotateSigningSecret } from '#src/webhooks/secrets/rotate-signing-secret.ts'
import { openSecrets } from '#src/webhooks/secrets/signing-secrets.ts'
import { signatureHeaders, signingKey } from '#src/webhooks/sending/signatures.ts'
import { createWebhookReader } from '#src/webhooks/sending/webhook-reader.ts'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { aDispatcher, haveWebhooks, secretBox, submit } from './webhook-world.ts'

const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS
const OLD = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

test('contract §6: after a rotation both secrets verify, the newest first; X-Signature uses the newest', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  const [webhook] = await haveWebhooks(db, { url: receiver.url, signing_secret: OLD })
  const rotation = await rotateSigningSecret(db, webhook?.id ?? 0, { secretBox, now: new Date() })
  assert.equal(rotation.kind, 'rotated')
  const secret = rotation.kind === 'rotated' ? rotation.secret : ''
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  await submit(db)
  aDispatcher(t, db).dispatcher.start()
  const [request] = await receiver.waitForRequests(1)
  const { body = '', headers = {} } = request ?? {}
  const [newest, ...older] = String(headers['webhook-signature']).split(' ')
  assert.equal(older.length, 1)
  for (const [key, signature] of [
    [secret, newest],
    [OLD, older[0]],
  ] as const) {
    const signed = { ...(headers as Record<string, string>), 'webhook-signature': signature ?? '' }
    assert.ok(new StandardWebhook(key).verify(body, signed))
  }
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(body).digest('hex')
  assert.equal(headers['x-signature'], `sha256=${expected}`)
})

test('contract §6: a replaced secret stays valid for 24 hours, by rotating and by saving', async (t) => {
  const db = await openTestDatabase(t)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: 'https://a.example.com', signing_secret: 'one' })
  const secretsAt = async (now: Date) => {
    const webhook = await findWebhook(db, id)
    return webhook && openSecrets(webhook, { secretBox, now })
  }
  const now = new Date('2026-11-20T10:00:00.000Z')
  await rotateSigningSecret(db, id, { secretBox, now, secret: 'two' })
  assert.deepEqual(await secretsAt(new Date(now.getTime() + DAY_MS - 1)), ['two', 'one'])
  assert.deepEqual(await secretsAt(new Date(now.getTime() + DAY_MS)), ['two'])

  await haveWebhooks(db, { url: 'https://a.example.com', signing_secret: 'three' })
  const saved = await secretsAt(new Date())
  assert.deepEqual(saved?.slice(0, 2), ['three', 'two'])
  await haveWebhooks(db, { url: 'https://a.example.com', signing_secret: 'three' })
  assert.deepEqual(await secretsAt(new Date()), saved, 'the same secret is no change')
  await haveWebhooks(db, { url: 'https://a.example.com', signing_secret: null })
  assert.deepEqual(await secretsAt(new Date()), [])
})

test('contract §6: each secret replaced within 24 hours signs until its own expiry', async (t) => {
  const db = await openTestDatabase(t)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: 'https://a.example.com', signing_secret: 'one' })
  const reader = createWebhookReader({ secretBox, environment: {} })
  const message = { id: 'msg_1', timestamp: 1, body: '{}' }
  const at = (hours: number) => new Date(Date.parse('2026-11-20T10:00:00.000Z') + hours * HOUR_MS)
  const signatureAt = async (hours: number) => {
    const readiness = (await reader.read(db, [id], { now: at(hours) })).get(id)
    return readiness?.kind === 'ready' && signatureHeaders(readiness.sendable.keys, message)
  }
  const signatureBy = (...secrets: string[]) => signatureHeaders(secrets.map(signingKey), message)
  await rotateSigningSecret(db, id, { secretBox, now: at(0), secret: 'two' })
  await rotateSigningSecret(db, id, { secretBox, now: at(1), secret: 'three' })
  assert.deepEqual(await signatureAt(23.9), signatureBy('three', 'two', 'one'))
  assert.deepEqual(await signatureAt(24), signatureBy('three', 'two'))
  assert.deepEqual(await signatureAt(25), signatureBy('three'))
  await rotateSigningSecret(db, id, { secretBox, now: at(26), secret: 'four' })
  await rotateSigningSecret(db, id, { secretBox, now: at(27), secret: 'three' })
  assert.deepEqual(await signatureAt(27), signatureBy('three', 'four'), 'no secret signs twice')
})

test('§5.2 a secret is bound to its row and column and encrypted in the database', async (t) => {
  const db = await openTestDatabase(t)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: 'https://a.example.com', signing_secret: 'one' })
  const now = new Date()
  await rotateSigningSecret(db, id, { secretBox, now, secret: 'two' })
  const row = await db.selectFrom('form_webhooks').selectAll().executeTakeFirstOrThrow()
  assert.doesNotMatch(JSON.stringify(row), /"(one|two)"/)
  const [previous] = JSON.parse(row.previous_secrets_json ?? '')
  const list = JSON.stringify([{ ...previous, sealed: row.signing_secret }])
  await db.updateTable('form_webhooks').set({ previous_secrets_json: list }).execute()
  const moved = await findWebhook(db, id)
  assert.deepEqual(moved && openSecrets(moved, { secretBox, now }), ['two'])
  await db.updateTable('form_webhooks').set({ signing_secret: previous.sealed }).execute()
  const swapped = await findWebhook(db, id)
  assert.equal(swapped && openSecrets(swapped, { secretBox, now }), undefined)
})

test('unusable secrets and unknown webhooks are refused', async (t) => {
  const db = await openTestDatabase(t)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: 'https://a.example.com' })
  const options = { secretBox, now: new Date() }
  const refused = await rotateSigningSecret(db, id, { ...options, secret: 'whsec_' })
  assert.deepEqual(refused, { kind: 'unusable_secret' })
  assert.deepEqual(await rotateSigningSecret(db, id + 1, options), { kind: 'not_found' })
})
