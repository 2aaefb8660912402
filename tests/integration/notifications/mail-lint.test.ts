import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_LIMITS } from '#src/auth/roles/role.ts'
import { accountChangeMail, invitationMail, passwordResetMail } from '#src/messages/mail/accounts.ts'
import { composeMail } from '#src/notifications/compose-mail.ts'
import type { MailContent } from '#src/notifications/mail-content.ts'
import { composeReply } from '#src/notifications/replies/compose-reply.ts'
import { accountMailHtml } from '#src/server/accounts/account-mail.ts'
import { composeReport } from '#src/server/monthly-reports/compose-report.ts'
import { openTestDatabase } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { mailProblems } from '../../support/mail-lint.ts'
import { aMailLook } from '../../support/mail-look.ts'
import { addPlaces } from '../../support/small-site.ts'

const LONG_URL = `https://www.example.com/${'a-very-long-address-'.repeat(20)}`

const FILLED_FROM = {
  answers: { full_name: 'Aoife Ní Bhriain' },
  meta: { location_name: 'Ennis' },
  choices: new Map(),
}

const CONTENT: MailContent = {
  formName: 'Ask for a quote',
  serviceName: 'Boiler service',
  places: ['Ennis', 'County Clare'],
  answers: [
    { label: 'Name', text: 'Aoife Ní Bhriain', type: 'text' },
    { label: 'Message', text: 'Two lines\nof text', type: 'textarea' },
    { label: 'Email', text: 'aoife@example.com', type: 'email' },
    { label: 'Phone', text: '087 123 4567', type: 'phone' },
  ],
  replyTo: 'aoife@example.com',
  cameFrom: 'Google Ads, campaign spring-boiler, landed on /',
  pageUrl: LONG_URL,
  leadUrl: 'https://www.example.com/admin/inbox/7',
  submittedAt: '2026-07-20T14:02:01.308Z',
  locale: { country: 'IE', language: 'en-IE', timeZone: 'Europe/Dublin' },
  look: aMailLook(),
  templates: {},
  subject: FILLED_FROM,
}

const LOCALES = { hebrew: { country: 'IL', language: 'he', timeZone: 'Asia/Jerusalem' } }

test('notifications and replies render correctly in email clients', async () => {
  const reply = {
    subject: 'Thank you',
    text: `Hello {{full_name}}\n\nWe call you back.\nUntil then: ${LONG_URL}`,
    replyTo: undefined,
    look: aMailLook(),
    language: 'en-IE',
    filledFrom: FILLED_FROM,
  }
  const mails = {
    standard: composeMail(CONTENT),
    hebrew: composeMail({ ...CONTENT, locale: LOCALES.hebrew }),
    template: composeMail({ ...CONTENT, templates: { text: 'A lead\n\n{{full_name}}' } }),
    reply: composeReply(reply),
    hebrewReply: composeReply({ ...reply, language: 'he' }),
    replyWithLogo: composeReply({ ...reply, look: aMailLook({ icon: `${LONG_URL}.png`, phone: null }) }),
  }
  assert.match(mails.hebrew.html, /<span dir="ltr">087 123 4567<\/span>/)
  for (const [name, mail] of Object.entries(mails)) assert.deepEqual(await mailProblems(mail), [], name)
})

test('the monthly report renders correctly in email clients', async (t) => {
  const db = await openTestDatabase(t)
  const places = await addPlaces(db, 'ennis')
  const { id } = await storeForm(db, 'quote')
  const lead = {
    form_id: id,
    data_json: '{}',
    location_id: places.get('ennis') as number,
    location_path: 'x',
  }
  await db
    .insertInto('form_submissions')
    .values({ ...lead, page_path: '/services', submitted_at: '2025-10-20T10:00:00.000Z' })
    .execute()
  const options = {
    period: '2025-10',
    adminUrl: 'https://www.example.com',
    now: new Date('2025-10-25T00:00:00Z'),
  }
  const report = await composeReport(db, { limits: NO_LIMITS }, options)
  assert.match(report.html, /Ennis/)
  assert.deepEqual(await mailProblems(report), [])
})

test('account emails render correctly in email clients', async () => {
  const link = 'https://www.example.com/admin/invitation/abc'
  const site = { business: 'Lone Star', site: 'Lone Star (www.example.com)' }
  for (const mail of [
    invitationMail({ by: 'ann@example.com', ...site, link, hours: 72 }),
    passwordResetMail({ ...site, link, minutes: 60 }),
    accountChangeMail('passkey_added', { by: 'Laptop', ...site }),
  ]) {
    const html = accountMailHtml(mail)
    assert.deepEqual(await mailProblems({ html, text: mail.text }), [], mail.subject)
    if ('action' in mail) assert.match(html, new RegExp(`<a href="${link}"`))
  }
})

test('a long email starts with the link to the lead, because Gmail clips the end', () => {
  const answers = [{ label: 'Message', text: 'long '.repeat(25_000), type: 'textarea' }]
  const { html } = composeMail({ ...CONTENT, answers })
  assert.ok(Buffer.byteLength(html.slice(0, html.indexOf(CONTENT.leadUrl))) < 5_000)
  const short = composeMail(CONTENT).html
  assert.ok(short.indexOf(CONTENT.leadUrl) > short.indexOf('087 123 4567'))
})

test('the linter finds markup that email clients don’t support', async () => {
  const { html, text } = composeMail(CONTENT)
  const spoiled = {
    'text-align:start': html.replace('text-align:left', 'text-align:start'),
    'word-break': html.replace('word-wrap:break-word', 'word-break:break-word'),
    presentation: html.replace(/role="presentation" /, ''),
    'wcag/h37': html.replace('</h1>', '</h1><img src="https://a.example/x.png">'),
    contrast: html.replaceAll('#4d5678', '#c0c0c0'),
    'not in the plain text': html.replace(CONTENT.leadUrl, 'https://other.example/'),
    'pixels wide': html.replace('max-width:600px', 'max-width:900px'),
    'not for mails': html.replace('</head>', '<style>a{color:red}</style></head>'),
    lang: html.replace(/ lang="[^"]*"/, ''),
  }
  for (const [problem, mail] of Object.entries(spoiled)) {
    const found = await mailProblems({ html: mail, text })
    assert.match(found.join('\n'), new RegExp(problem), problem)
  }
  assert.match((await mailProblems({ html, text: '' })).join('\n'), /no plain text/)
  assert.match((await mailProblems({ html: html + ' '.repeat(110_000), text })).join('\n'), /102 KB/)
})
