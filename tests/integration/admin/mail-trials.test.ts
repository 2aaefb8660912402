import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { Window } from 'happy-dom'
import { findForm } from '#src/forms/form-store.ts'
import { ADMINISTRATOR, startAdmin } from '../../support/admin.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { readAnswer } from '../../support/pages/read-page.ts'

const EMAILS = '/admin/forms/waitlist/emails'
const REPLY = {
  enabled: '',
  subject: 'Thank you, {{full_name}}',
  text: 'About {{meta.form_name}}',
  reply_to: '',
}
const ENTRY = {
  ...{ to: 'a@example.com', subject: 'New: {{full_name}}', template: '', match: 'always', fire_on: '' },
}

test('a notification and a reply are previewed and sent to the user, and nothing is saved', async (t) => {
  const mails = await startMailServer(t)
  const environment = { SMTP_URL: mails.url, MAIL_FROM: 'site@example.com' }
  const site = await startAdmin(t, { environment })
  for (const [path, fields, subject, body] of [
    [`${EMAILS}/new`, ENTRY, /^Subject: New: (.+)$/, /Full name/],
    [`${EMAILS}/reply`, REPLY, /^Subject: Thank you, (.+)$/, /About Waitlist/],
  ] as const) {
    const answer = await site.post(path, { ...fields, act: 'preview' })
    const page = await readAnswer(answer)
    const [, name = ''] = subject.exec(page.getByText(subject).textContent ?? '') ?? []
    assert.ok(name !== '' && !name.includes('{{'), name)
    assert.match(page.part('region', { name: 'Plain text of the email' }).words, body)
    const frame = page.getByTitle('Email preview')
    const html = frame.getAttribute('srcdoc') ?? ''
    assert.match(html, body)
    assert.equal(frame.getAttribute('sandbox'), '', 'no scripts')
    assert.deepEqual(stylesBeyond(String(answer.headers.get('content-security-policy')), html), [])
    assert.equal(page.valueOf('Subject'), fields.subject)
    const before = mails.received.length
    const tested = await readAnswer(await site.post(path, { ...fields, act: 'test' }))
    tested.getByText(`Test email sent to ${ADMINISTRATOR.email}.`)
    assert.deepEqual(
      mails.received.slice(before).map(({ recipients }) => recipients),
      [[ADMINISTRATOR.email]],
    )
    assert.match(mails.received.at(-1)?.raw ?? '', /^Subject: Test: (New|Thank you)/m)
  }
  const { settings } = (await findForm(site.app.db, 'waitlist')) ?? {}
  assert.deepEqual([settings?.notifications, settings?.reply], [undefined, undefined])
  const log = await site.app.db
    .selectFrom('audit_log')
    .select('summary')
    .where('action', '=', 'form.email_tested')
    .execute()
  assert.equal(log.length, 2)
})

// The styles of a document that a policy doesn't allow.
function stylesBeyond(policy: string, html: string): string[] {
  const document = new new Window().DOMParser().parseFromString(html, 'text/html')
  const inline = [...document.querySelectorAll('[style]')].map((one) => one.getAttribute('style') ?? '')
  const sheets = [...document.querySelectorAll('style')].map((one) => one.textContent ?? '')
  assert.ok(inline.length > 5 && sheets.length === 1)
  return [...inline, ...sheets].filter(
    (style) => !policy.includes(`'sha256-${createHash('sha256').update(style).digest('base64')}'`),
  )
}

test('a test email that fails says why; without a mail server there is none', async (t) => {
  const mails = await startMailServer(t, { refusals: [{ code: 550, text: 'No such user' }] })
  const environment = { SMTP_URL: mails.url, MAIL_FROM: 'site@example.com' }
  const site = await startAdmin(t, { environment })
  const page = await readAnswer(await site.post(`${EMAILS}/reply`, { ...REPLY, act: 'test' }))
  page.getByText(/^The test email was not sent: .*No such user/)
  const without = await startAdmin(t)
  const shown = await without.open(`${EMAILS}/reply`)
  assert.equal(shown.queryByRole('button', { name: 'Send test email' }), null)
  shown.getByRole('button', { name: 'Preview' })
  const posted = await readAnswer(await without.post(`${EMAILS}/reply`, { ...REPLY, act: 'test' }))
  assert.equal(posted.queryByText(/Test email sent/), null)
})

test('the reply’s subject and text are not optional, and a wrong reference names the nearest', async (t) => {
  const site = await startAdmin(t)
  const page = await site.open(`${EMAILS}/reply`)
  for (const name of ['Subject', 'Text'])
    assert.equal(page.control(name).labels?.[0]?.textContent?.trim(), name)
  const wrong = { ...REPLY, enabled: 'on', subject: '{{meta.location_nam}}', text: '{{emial}}', act: 'save' }
  const refused = await readAnswer(await site.post(`${EMAILS}/reply`, wrong), 422)
  refused.getByText('Unknown reference "meta.location_nam". Did you mean meta.location_name?')
  refused.getByText('Unknown reference "emial". Did you mean email?')
  const condition = JSON.stringify({ 'meta.location_slg': 'dallas' })
  const json = { ...ENTRY, match: 'json', fire_on: condition, act: 'save' }
  const entry = await readAnswer(await site.post(`${EMAILS}/new`, json), 422)
  entry.getByText(/Unknown reference "meta\.location_slg"\. Did you mean meta\.location_slug\?$/)
})
