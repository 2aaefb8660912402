import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeMail } from '#src/notifications/compose-mail.ts'
import { openTestDatabase } from '../../support/database.ts'
import { everyMail, LEAD_CONTENT } from '../../support/every-mail.ts'
import { mailProblems } from '../../support/mail-lint.ts'

test('all emails render correctly in email clients', async (t) => {
  const mails = await everyMail(await openTestDatabase(t))
  for (const [name, mail] of Object.entries(mails)) assert.deepEqual(await mailProblems(mail), [], name)
  assert.match(mails.leadInHebrew?.html ?? '', /<span dir="ltr">087 123 4567<\/span>/)
  assert.match(mails.report?.html ?? '', /Ennis/)
  for (const name of ['invitation', 'passwordReset'])
    assert.match(mails[name]?.html ?? '', /<a href="https:\/\/www\.example\.com\/admin\/invitation\/abc"/)
})

test('a long email starts with the link to the lead, because Gmail clips the end', () => {
  const answers = [{ label: 'Message', text: 'long '.repeat(25_000), type: 'textarea' }]
  const { html } = composeMail({ ...LEAD_CONTENT, answers })
  assert.ok(Buffer.byteLength(html.slice(0, html.indexOf(LEAD_CONTENT.leadUrl))) < 5_000)
  const short = composeMail(LEAD_CONTENT).html
  assert.ok(short.indexOf(LEAD_CONTENT.leadUrl) > short.indexOf('087 123 4567'))
})

test('the linter finds markup that email clients don’t support', async () => {
  const { html, text } = composeMail(LEAD_CONTENT)
  const spoiled = {
    'text-align:start': html.replace('text-align:left', 'text-align:start'),
    'word-break': html.replace('word-wrap:break-word', 'word-break:break-word'),
    presentation: html.replace(/role="presentation" /, ''),
    'wcag/h37': html.replace('</h1>', '</h1><img src="https://a.example/x.png">'),
    contrast: html.replaceAll('#4d5678', '#c0c0c0'),
    'not in the plain text': html.replace(LEAD_CONTENT.leadUrl, 'https://other.example/'),
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
