import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeMail, type MailContent } from '../../../src/notifications/compose-mail.ts'

function aContent(content: Partial<MailContent> = {}): MailContent {
  return {
    formName: 'Quote',
    answers: [{ label: 'Email', text: 'ada@example.com' }],
    replyTo: 'ada@example.com',
    pageUrl: 'https://www.example.com/services/ac-repair/austin',
    location: 'Austin (usa/texas/austin)',
    submittedAt: '2026-11-20T10:00:00.000Z',
    ...content,
  }
}

test('§2.1 notification_email: every answer under its label, the page and the location', () => {
  const { subject, text } = composeMail(aContent())
  assert.equal(subject, 'New Quote submission')
  assert.equal(
    text,
    [
      'Email:\nada@example.com',
      'Page:\nhttps://www.example.com/services/ac-repair/austin',
      'Location:\nAustin (usa/texas/austin)',
      'Received:\n2026-11-20T10:00:00.000Z\n',
    ].join('\n\n'),
  )
})

test('an empty answer is shown as such, and what is not known is left out', () => {
  const { text } = composeMail(
    aContent({ answers: [{ label: 'Phone', text: '' }], pageUrl: undefined, location: undefined }),
  )
  assert.equal(text, 'Phone:\n–\n\nReceived:\n2026-11-20T10:00:00.000Z\n')
})

test('markup of a visitor is text', () => {
  const { html } = composeMail(aContent({ answers: [{ label: '<b>', text: '<img src=x>\n"&' }] }))
  assert.match(html, /<dt><strong>&lt;b&gt;<\/strong><\/dt><dd>&lt;img src=x&gt;<br>&quot;&amp;<\/dd>/)
})

test('a line break in a name makes no header', () => {
  const { subject } = composeMail(aContent({ formName: 'Quote\r\nBcc: eve@example.com\u2028x' }))
  assert.equal(subject, 'New Quote Bcc: eve@example.com x submission')
})

test('a reply goes to one plain address or to nobody', () => {
  assert.equal(composeMail(aContent()).replyTo, 'ada@example.com')
  for (const replyTo of ['a@b.c, d@e.f', 'Ada <a@b.c>', 'a@b.c\r\nBcc: d@e.f', 'a@b@c', 'group:a@b.c;', '']) {
    assert.equal(composeMail(aContent({ replyTo })).replyTo, undefined, replyTo)
  }
})
