// biome-ignore-all lint/suspicious/noTemplateCurlyInString: webhooks name values of the environment like this
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { saveWebhooks } from '#src/webhooks/definition/save-webhook-store.ts'
import { webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { findWebhook } from '#src/webhooks/definition/webhook-store.ts'
import { rotateSigningSecret } from '#src/webhooks/secrets/rotate-signing-secret.ts'
import { ADMINISTRATOR, startAdmin } from '../../support/admin.ts'
import { readAnswer } from '../../support/pages/read-page.ts'
import { messageOf, newestChanges } from '../../support/pages/told.ts'
import { startReceiver } from '../../support/receiver.ts'
import { FORM_ID, settledDeliveries, submit } from '../webhooks/webhook-world.ts'

const PATH = '/admin/forms/waitlist/webhooks/1'
const HEADERS = { 'X-Key': 's3cr3t-in-clear', 'X-Env': '${SIGNPOST_TEST_VALUE}', 'X-Team': 'sales' }
const SHOWN = 'X-Key: ••••\nX-Env: ${SIGNPOST_TEST_VALUE}\nX-Team: sales'

/** A webhook that a form file brought, with each kind of secret, and a password that was confirmed long ago. */
async function haveSecrets(t: TestContext, { url }: { url: string }) {
  process.env.SIGNPOST_TEST_VALUE = 'value-in-clear'
  t.after(() => {
    delete process.env.SIGNPOST_TEST_VALUE
  })
  const lines: string[] = []
  const site = await startAdmin(t, { onLogLine: (line) => lines.push(line) })
  const { db, secretBox } = site.app
  const definition = webhookDefinition.parse({ name: 'Office', url, headers: HEADERS })
  await saveWebhooks(db, FORM_ID, [definition], site.app)
  await rotateSigningSecret(db, 1, { secretBox, now: new Date() })
  await rotateSigningSecret(db, 1, { secretBox, now: new Date() })
  await db.updateTable('admin_sessions').set({ password_checked_at: '2020-01-01T00:00:00.000Z' }).execute()
  const save = (values: Record<string, string>) =>
    site.post(PATH, {
      ...{ name: 'Office', method: 'POST', url, headers: SHOWN, template: '', max_retries: '6' },
      ...{ enabled: 'on', match: 'always', fire_on: '', act: 'save', ...values },
    })
  const refusals = () => lines.map((line) => JSON.parse(line)).flatMap(({ code }) => code ?? [])
  return { site, save, refusals }
}

test('a new origin needs the password and receives no stored secret, queued, replayed, or tested', async (t) => {
  const former = await startReceiver(t, 200)
  const other = await startReceiver(t, 200)
  const { site, save, refusals } = await haveSecrets(t, former)
  const { db, dispatcher } = site.app
  await submit(db)
  dispatcher.wake()
  const [arrived] = await settledDeliveries(db)
  assert.equal(former.requests[0]?.headers['x-env'], 'value-in-clear')
  await site.post(`${PATH}/pause`, { paused: 'yes' })
  await submit(db)

  const asked = await save({ url: other.url })
  const question = await readAnswer(asked, 422)
  assert.equal(question.control('Current password').name, 'password')
  assert.ok(question.mistakeOf('Current password')?.startsWith('Enter your password to send this'))
  assert.equal((await save({ url: other.url, password: 'wrong' })).status, 422)
  assert.deepEqual(refusals(), ['password_check_failed'])
  assert.equal((await findWebhook(db, 1))?.url, former.url)
  const { cookie } = site
  const saved = await save({ url: other.url, password: ADMINISTRATOR.password })
  assert.equal(saved.status, 303)
  assert.notEqual(site.cookie, cookie, 'ASVS 7.2.4: the token is new')
  const lost = 'Saved. Enter the header X-Key, the header X-Env, and the signing secret again, because stored'
  assert.ok(messageOf(saved).includes(lost), messageOf(saved))
  assert.equal((await site.open(PATH)).valueOf('Headers'), 'X-Team: sales')
  const [logged = ''] = await newestChanges(site)
  assert.ok(logged.includes(`destination changed from ${former.url} to ${other.url}`), logged)

  await site.post(`${PATH}/pause`, { paused: 'no' })
  await site.post(`/admin/deliveries/${arrived?.id}/replay`, { mode: 'same_bytes' })
  await site.post(`${PATH}/test`)
  await settledDeliveries(db)
  assert.deepEqual([former.requests.length, other.requests.length], [1, 3])
  const sent = JSON.stringify(other.requests)
  assert.doesNotMatch(sent, /in-clear|x-key|x-env|signature/i)
  assert.match(sent, /sales/)
})

test('another path of the same origin needs no password and keeps the secrets', async (t) => {
  const receiver = await startReceiver(t, 200)
  const { site, save } = await haveSecrets(t, receiver)
  const saved = await save({ url: `${receiver.url}/other` })
  assert.equal(saved.status, 303)
  assert.ok(messageOf(saved).includes('Saved. These settings apply to new requests.'), messageOf(saved))
  await submit(site.app.db)
  site.app.dispatcher.wake()
  await settledDeliveries(site.app.db)
  const [request] = receiver.requests
  assert.deepEqual(
    [request?.headers['x-key'], request?.headers['x-env']],
    ['s3cr3t-in-clear', 'value-in-clear'],
  )
  assert.match(String(request?.headers['webhook-signature']), /^v1,\S+ v1,\S+$/)
})

test('a new origin can’t reference environment values in its URL or headers', async (t) => {
  const { save } = await haveSecrets(t, { url: 'https://a.example.com/${SIGNPOST_TEST_VALUE}' })
  const password = ADMINISTRATOR.password
  for (const values of [
    { url: 'https://b.example.com/${SIGNPOST_TEST_VALUE}', headers: '' },
    { url: 'https://${SIGNPOST_TEST_VALUE}.example.com/', headers: '' },
    { url: 'https://b.example.com', headers: 'X-Other: ${SIGNPOST_TEST_VALUE}' },
  ]) {
    const refused = await save({ ...values, password })
    const message = '${SIGNPOST_TEST_VALUE} is sent only to https://a.example.com'
    const mistakes = (await readAnswer(refused, 422)).words
    assert.ok(mistakes.includes(message), values.url)
  }
})

test('duplicating a form doesn’t expose environment values to another origin', async (t) => {
  const { site } = await haveSecrets(t, { url: 'https://a.example.com' })
  await site.post('/admin/forms/waitlist/copy', { name: 'Copy', slug: 'copy' })
  const copy = await findWebhook(site.app.db, 2)
  assert.deepEqual(copy?.headers, { 'X-Env': HEADERS['X-Env'], 'X-Team': 'sales' })
  const moved = await site.post('/admin/forms/copy/webhooks/2', {
    ...{ name: 'Office', method: 'POST', url: 'https://b.example.com', max_retries: '6', match: 'always' },
    ...{ headers: 'X-Env: ${SIGNPOST_TEST_VALUE}', password: ADMINISTRATOR.password, act: 'save' },
  })
  assert.equal(moved.status, 303)
  assert.equal((await findWebhook(site.app.db, 2))?.headers, null)
})
