import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { startReceiver } from '../../support/receiver.ts'
import { waitFor } from '../../support/running-site.ts'

const FORM = '/admin/forms/waitlist'
const NAMED = (name: string) => ({
  ...{ match: 'all', fire_on: '', act: 'save' },
  ...{ rule_field: ['full_name'], rule_op: ['contains'], rule_value: [name] },
})
const REST = { match: 'fallback', fire_on: '', act: 'save' }

async function addRecipients(site: AdminSite, to: string, leads: object) {
  const answer = await site.post(`${FORM}/emails/new`, { to, subject: '', template: '', ...leads })
  assert.equal(answer.status, 303)
}

async function addWebhook(site: AdminSite, url: string, leads: object) {
  const parts = { name: url.slice(-4), url, method: 'POST', headers: '', template: '' }
  const posted = { ...parts, max_retries: '0', enabled: 'on', ...leads }
  assert.equal((await site.post(`${FORM}/webhooks/new`, posted)).status, 303)
}

async function postLead({ url }: AdminSite, full_name: string) {
  const answer = await fetch(`${url}/api/forms/waitlist/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ full_name, email: 'visitor@example.com', phone: '5125550142', role: 'owner' }),
  })
  assert.equal(answer.status, 201, await answer.text())
}

test('leads go to the recipients and webhooks whose conditions they match, or to the fallbacks', async (t) => {
  const mail = await startMailServer(t)
  const receiver = await startReceiver(t, 200)
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'forms@example.com', WEBHOOK_ALLOW: '127.0.0.0/8' }
  const site = await startAdmin(t, { environment })
  await addRecipients(site, 'ann@example.com\nboth@example.com', NAMED('Ann'))
  await addRecipients(site, 'bob@example.com\nBOTH@example.com', NAMED('Bob'))
  await addRecipients(site, 'rest@example.com', REST)
  await addWebhook(site, `${receiver.url}/ann`, NAMED('Ann'))
  await addWebhook(site, `${receiver.url}/any`, REST)
  const expected: [name: string, recipients: string[], path: string][] = [
    ['Ann', ['ann@example.com', 'both@example.com'], '/ann'],
    ['Ann and Bob', ['ann@example.com', 'bob@example.com', 'both@example.com'], '/ann'],
    ['Cleo', ['rest@example.com'], '/any'],
  ]
  for (const [name, recipients, path] of expected) {
    const before = { mails: mail.received.length, requests: receiver.requests.length }
    await postLead(site, name)
    const requests = await receiver.waitForRequests(before.requests + 1)
    await waitFor(async () => mail.received.length >= before.mails + recipients.length)
    const mails = mail.received.slice(before.mails)
    const got = mails.flatMap((one) => one.recipients).map((address) => address.toLowerCase())
    assert.deepEqual(got.toSorted(), recipients, name)
    assert.equal(requests.at(-1)?.path, path, name)
  }
  assert.equal(receiver.requests.length, expected.length)
})

test('sending a lead to a fallback webhook anyway says that another webhook sends it', async (t) => {
  const receiver = await startReceiver(t, 200)
  const site = await startAdmin(t, { environment: { WEBHOOK_ALLOW: '127.0.0.0/8' } })
  await addWebhook(site, `${receiver.url}/ann`, NAMED('Ann'))
  await addWebhook(site, `${receiver.url}/any`, REST)
  await postLead(site, 'Ann')
  const skipped = await site.app.db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('status', '=', 'skipped')
    .executeTakeFirstOrThrow()
  const page = await site.open(`/admin/deliveries/${skipped.id}/replay`)
  page.getByText('Reason: another webhook sends this lead.')
  page.getByRole('button', { name: 'Send to “/any”' })
})
