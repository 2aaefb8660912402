import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { rotateSigningSecret } from '../../../src/webhooks/rotate-signing-secret.ts'
import { openSecrets } from '../../../src/webhooks/signing-secrets.ts'
import { findWebhook } from '../../../src/webhooks/webhook-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { aDispatcher, haveWebhooks, secretBox, submit } from './webhook-world.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const OLD = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

test('contract §6: after a rotation both secrets verify, the newest first; X-Signature is by the newest', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  const [webhook] = await haveWebhooks(db, { url: receiver.url, signing_secret: OLD })
  const rotation = await rotateSigningSecret(db, webhook?.id ?? 0, { secretBox, now: new Date() })
  assert.equal(rotation.kind, 'rotated')
  const secret = rotation.kind === 'rotated' ? rotation.secret : ''
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/)
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
  assert.deepEqual(await secretsAt(new Date()), ['three', 'two'])
  await haveWebhooks(db, { url: 'https://a.example.com', signing_secret: 'three' })
  assert.deepEqual(await secretsAt(new Date()), ['three', 'two'], 'the same secret is no change')
  await haveWebhooks(db, { url: 'https://a.example.com', signing_secret: null })
  assert.deepEqual(await secretsAt(new Date()), [])
})

test('§5.2 a secret cannot change its row or its column, and none is in the database in clear', async (t) => {
  const db = await openTestDatabase(t)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: 'https://a.example.com', signing_secret: 'one' })
  const now = new Date()
  await rotateSigningSecret(db, id, { secretBox, now, secret: 'two' })
  const row = await db.selectFrom('form_webhooks').selectAll().executeTakeFirstOrThrow()
  assert.doesNotMatch(JSON.stringify(row), /"(one|two)"/)
  await db.updateTable('form_webhooks').set({ previous_signing_secret: row.signing_secret }).execute()
  const moved = await findWebhook(db, id)
  assert.deepEqual(moved && openSecrets(moved, { secretBox, now }), ['two'])
  await db.updateTable('form_webhooks').set({ signing_secret: row.previous_signing_secret }).execute()
  const swapped = await findWebhook(db, id)
  assert.throws(() => swapped && openSecrets(swapped, { secretBox, now }), /cannot be opened/)
})

test('a secret that cannot sign is refused, and so is a webhook that is not there', async (t) => {
  const db = await openTestDatabase(t)
  const [{ id } = { id: 0 }] = await haveWebhooks(db, { url: 'https://a.example.com' })
  const options = { secretBox, now: new Date() }
  const refused = await rotateSigningSecret(db, id, { ...options, secret: 'whsec_' })
  assert.deepEqual(refused, { kind: 'unusable_secret' })
  assert.deepEqual(await rotateSigningSecret(db, id + 1, options), { kind: 'not_found' })
})
