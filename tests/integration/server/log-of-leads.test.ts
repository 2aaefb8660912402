import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { logTexts } from '#src/messages/server/log.ts'
import { loggedFailure } from '#src/notifications/logged-failure.ts'
import { storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { startFront } from '../../support/front.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { startReceiver } from '../../support/receiver.ts'
import { waitFor } from '../../support/running-site.ts'

const NAME = 'Qwyzel'
const EMAIL = 'qwyzel.kelly@mail.example'

test('posts through a proxy that isn’t trusted are logged once', async (t) => {
  for (const [trusted, count] of [
    ['0', 1],
    ['1', 0],
  ] as const) {
    const lines: string[] = []
    const { app, url } = await startFront(t, {
      environment: { TRUSTED_PROXIES: trusted },
      onLogLine: (line) => lines.push(line),
    })
    await storeForm(app.db, 'quote', { fields: [{ name: 'full_name', label: 'Name', type: 'text' }] })
    for (let sent = 0; sent < 2; sent++)
      await fetch(`${url}/api/forms/quote/submissions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' },
        body: JSON.stringify({ full_name: NAME }),
      })
    assert.equal(lines.filter((line) => line.includes(logTexts.proxyIgnored)).length, count, trusted)
  }
})

test('the log never contains answers, whether stored, refused, spam, undelivered, or searched', async (t) => {
  const lines: string[] = []
  const refusal = { code: 550, text: `5.1.1 <${EMAIL}> (${NAME}) is unknown` }
  const mail = await startMailServer(t, {
    refusals: [{ ...refusal, at: 'recipient' }, refusal, { ...refusal, at: 'recipient' }, refusal],
  })
  const receiver = await startReceiver(t, { status: 410, body: `No ${NAME} <${EMAIL}> here` })
  const { app, url } = await startFront(t, {
    environment: { SMTP_URL: mail.url, MAIL_FROM: 'forms@example.com' },
    onLogLine: (line) => lines.push(line),
  })
  const form = await storeForm(app.db, 'quote', {
    fields: [
      { name: 'full_name', label: 'Name', type: 'text', required: true },
      { name: 'email', label: 'Email', type: 'email' },
    ],
    settings: {
      notification_email: 'office@example.com',
      reply: { subject: 'Thank you, {{full_name}}', text: 'Hello {{full_name}}' },
      honeypot: 'website',
    },
  })
  await storeWebhook(app.db, form.id, { url: `${receiver.url}/{{full_name}}` })
  const post = async (body: Record<string, string>, type = 'application/json') => {
    const encoded = type === 'application/json' ? JSON.stringify(body) : new URLSearchParams(body).toString()
    const headers = { 'content-type': type }
    const address = `${url}/api/forms/quote/submissions?name=${NAME}`
    return (await fetch(address, { method: 'POST', headers, body: encoded })).status
  }
  const lead = { full_name: NAME, email: EMAIL, _page: `/${EMAIL}` }
  assert.equal(await post(lead), 201)
  assert.equal(await post({ email: EMAIL, full_name: '' }), 422)
  assert.equal(await post({ ...lead, website: NAME }), 201)
  assert.equal(await post({ ...lead }, 'text/plain'), 415)
  await sql`create trigger refuse before insert on form_submissions begin select raise(abort, 'not today'); end`.execute(
    app.db,
  )
  assert.ok((await post(lead)) >= 500)
  await sql`drop trigger refuse`.execute(app.db)
  const failures = ['mailFailed', 'replyFailed', 'attemptFailed'] as const
  const isLogged = (event: (typeof failures)[number]) => lines.join('\n').includes(logTexts[event])
  await waitFor(() => failures.every(isLogged))
  await fetch(`${url}/admin/inbox?q=${NAME}`, { redirect: 'manual' })
  assert.doesNotMatch(lines.join('\n'), /qwyzel/i)
})

test('a logged mail failure has the server’s code without its message', () => {
  for (const [message, logged] of [
    [
      `Can't send mail - all recipients were rejected: 550 5.1.1 <${EMAIL}>: unknown`,
      "Can't send mail - all recipients were rejected: 550 5.1.1",
    ],
    [`Message failed: 554 no mail about ${NAME}`, 'Message failed: 554'],
    ['connect ECONNREFUSED 127.0.0.1:25', 'connect ECONNREFUSED 127.0.0.1:25'],
    [`No recipient ${EMAIL}`, 'No recipient [address]'],
  ])
    assert.equal(loggedFailure(String(message)), logged)
})
