import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeWebhook } from '#src/webhooks/definition/edit-webhook.ts'
import { saveWebhooks } from '#src/webhooks/definition/save-webhook-store.ts'
import { webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { disableWebhook } from '#src/webhooks/definition/webhook-health-store.ts'
import { findWebhook, listWebhooks, toWebhookDefinition } from '#src/webhooks/definition/webhook-store.ts'
import { signingSecretPlace } from '#src/webhooks/secrets/signing-secrets.ts'
import { openTestDatabase } from '../../support/database.ts'
import { FORM_ID, haveWebhooks, secretBox } from './webhook-world.ts'

const URL_A = 'https://a.example.com'

test('§2.3 saved webhooks read back in order', async (t) => {
  const db = await openTestDatabase(t)
  const full = webhookDefinition.parse({
    ...{ name: 'CRM', url: URL_A, method: 'PUT', headers: { 'X-Team': 'sales' } },
    ...{ payload_template: { email: '{{email}}' }, fire_on: { role: ['owner', 'agency'] } },
    ...{ max_retries: 0, enabled: false },
  })
  const plain = webhookDefinition.parse({ url: 'https://b.example.com' })
  await saveWebhooks(db, FORM_ID, [full, plain], { secretBox })
  assert.deepEqual((await listWebhooks(db, FORM_ID)).map(toWebhookDefinition), [full, plain])
})

test('a webhook that accepts redirects reads back so', async (t) => {
  const db = await openTestDatabase(t)
  const [webhook] = await haveWebhooks(db, { url: URL_A, accept_redirect: true })
  assert.equal(webhook && toWebhookDefinition(webhook).accept_redirect, true)
})

test('unreadable former secrets are none', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { url: URL_A })
  await db.updateTable('form_webhooks').set({ previous_secrets_json: '{' }).execute()
  const [webhook] = await listWebhooks(db, FORM_ID)
  assert.deepEqual(webhook?.previousSecrets, [])
})

test('a change of a webhook that is gone says so', async (t) => {
  const db = await openTestDatabase(t)
  const definition = webhookDefinition.parse({ url: URL_A })
  const changed = await changeWebhook(db, 99, { definition }, { secretBox, now: new Date() })
  assert.deepEqual(changed, { kind: 'not_found' })
})

test('webhooks are matched by name: IDs stay, and missing ones are deleted', async (t) => {
  const db = await openTestDatabase(t)
  const before = await haveWebhooks(
    db,
    { name: 'a', url: URL_A },
    { name: 'b', url: URL_A },
    { name: 'a', url: URL_A },
  )
  const after = await haveWebhooks(
    db,
    { name: 'a', url: 'https://new.example.com' },
    { name: 'c', url: URL_A },
  )
  assert.deepEqual([after[0]?.id, after[0]?.url], [before[0]?.id, 'https://new.example.com'])
  assert.deepEqual(
    after.map((webhook) => webhook.name),
    ['a', 'c'],
  )
})

test('§2.3 each of several webhooks named Webhook keeps its row when reordered or alone', async (t) => {
  const db = await openTestDatabase(t)
  const ids = async (...urls: string[]) => {
    const webhooks = await haveWebhooks(db, ...urls.map((url) => ({ name: 'Webhook', url })))
    return webhooks.map(({ id, url }) => [id, url])
  }
  const [first, second] = await ids(URL_A, 'https://b.example.com')
  assert.deepEqual(await ids('https://b.example.com', URL_A), [first, second])
  assert.deepEqual(await ids('https://b.example.com'), [second])
  assert.deepEqual(await ids('https://c.example.com'), [[second?.[0], 'https://c.example.com']])
})

test('§2.5 a renamed webhook stays the same row, with its queue and history', async (t) => {
  const db = await openTestDatabase(t)
  const [before] = await haveWebhooks(
    db,
    { name: 'h', url: URL_A },
    { name: 'other', url: URL_A, method: 'PUT' },
  )
  const after = await haveWebhooks(
    db,
    { name: 'CRM', url: URL_A },
    { name: 'other', url: URL_A, method: 'PUT' },
  )
  assert.equal(after.find(({ name }) => name === 'CRM')?.id, before?.id)
})

test('an automatically disabled webhook stays off until it is edited itself', async (t) => {
  const db = await openTestDatabase(t)
  const [saved] = await haveWebhooks(db, { name: 'CRM', url: URL_A })
  const id = saved?.id ?? 0
  await disableWebhook(db, id, { now: new Date(), reason: { code: 'gone' } })
  const isEnabled = async () => (await findWebhook(db, id))?.enabled
  const [webhook] = await listWebhooks(db, FORM_ID)
  assert.equal(webhook && toWebhookDefinition(webhook).enabled, true)

  await haveWebhooks(db, { name: 'CRM', url: URL_A }, { name: 'new', url: URL_A })
  assert.equal(await isEnabled(), false)
  await haveWebhooks(db, { name: 'CRM', url: URL_A, max_retries: 3 })
  assert.equal(await isEnabled(), true)
})

test('§5.2 a secret is encrypted for its row; undefined keeps it, null removes it', async (t) => {
  const db = await openTestDatabase(t)
  const [webhook] = await haveWebhooks(db, { url: URL_A, signing_secret: 'hush' })
  const sealed = webhook?.signingSecret ?? ''
  const id = webhook?.id ?? 0
  assert.doesNotMatch(sealed, /hush/)
  assert.equal(secretBox.open(sealed, signingSecretPlace({ id, url: URL_A })), 'hush')
  for (const other of [
    { id: id + 1, url: URL_A },
    { id, url: 'https://b.example.com' },
  ])
    assert.throws(() => secretBox.open(sealed, signingSecretPlace(other)))
  await haveWebhooks(db, { url: URL_A, max_retries: 1 })
  assert.equal((await findWebhook(db, id))?.signingSecret, sealed)
  await haveWebhooks(db, { url: URL_A, signing_secret: null })
  assert.equal((await findWebhook(db, id))?.signingSecret, null)
})

test('a webhook with an unreadable column is listed but not exported', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { url: URL_A })
  await db.updateTable('form_webhooks').set({ fire_on_json: '{"role":{}}' }).execute()
  const [webhook] = await listWebhooks(db, FORM_ID)
  assert.equal(webhook?.fireOn, null)
  assert.match(webhook?.unreadable.fireOn ?? '', /expected text/)
  assert.throws(() => webhook && toWebhookDefinition(webhook), /fireOn of webhook \d+ can’t be read/)
})
