import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeMail } from '#src/notifications/compose-mail.ts'
import type { MailContent } from '#src/notifications/mail-content.ts'
import { aMailLook } from '../../support/mail-look.ts'

const DUBLIN = { country: 'IE', language: 'en-IE', timeZone: 'Europe/Dublin' }

function aContent(content: Partial<MailContent> = {}): MailContent {
  return {
    formName: 'Ask for a quote',
    serviceName: 'Boiler service',
    places: ['Ennis', 'County Clare', 'Ireland'],
    answers: [
      { label: 'Name', text: 'Aoife Ní Bhriain', type: 'text' },
      { label: 'What do you need?', text: 'A boiler', type: 'textarea' },
      { label: 'Email', text: 'aoife@example.com', type: 'email' },
      { label: 'Phone', text: '087 123 4567', type: 'phone' },
    ],
    replyTo: 'aoife@example.com',
    cameFrom: 'Google Ads, campaign spring-boiler,\nlanded on /',
    pageUrl: 'https://www.example.com/services/boiler-service/ennis',
    leadUrl: 'https://www.example.com/admin/inbox/7',
    submittedAt: '2026-07-20T14:02:01.308Z',
    locale: DUBLIN,
    look: aMailLook(),
    templates: {},
    subject: {
      answers: { full_name: 'Aoife Ní Bhriain', size: 'l', email: 'aoife@example.com', phone: null },
      meta: { service_name: 'Boiler service', location_name: 'Ennis' },
      choices: new Map([['size', new Map([['l', 'Large']])]]),
    },
    ...content,
  }
}

const subjectOf = (content: Partial<MailContent>) => composeMail(aContent(content)).subject

test('§2.1 notification_email contains answers, service, place, page, local time, and a link to the lead', () => {
  const { subject, text } = composeMail(aContent())
  assert.equal(subject, 'Boiler service in Ennis: Aoife Ní Bhriain, 087 123 4567')
  assert.equal(
    text,
    [
      'Name: Aoife Ní Bhriain',
      'What do you need? A boiler',
      'Email: aoife@example.com',
      'Phone: 087 123 4567',
      '',
      'Form: Ask for a quote',
      'Service: Boiler service',
      'Place: Ennis, County Clare',
      'How they found you: Google Ads, campaign spring-boiler, landed on /',
      'Page: https://www.example.com/services/boiler-service/ennis',
      'Received: Monday 20 July 2026 at 15:02 IST',
      '',
      'Open this lead:\nhttps://www.example.com/admin/inbox/7\n',
    ].join('\n'),
  )
})

test('empty answers and unknown details are left out', () => {
  const { subject, text, html } = composeMail(
    aContent({
      ...{ serviceName: undefined, places: [], cameFrom: undefined, pageUrl: undefined },
      answers: [
        { label: 'Phone', text: ' ', type: 'phone' },
        { label: 'Rooms', text: '', type: 'checkbox' },
        { label: 'Name', text: 'Ann', type: 'text' },
      ],
      locale: { country: 'US', language: 'en-US', timeZone: 'America/Chicago' },
    }),
  )
  assert.equal(subject, 'Ask for a quote: Ann')
  assert.match(html, /Name<\/th><td[^>]*>Ann<\/td>/)
  assert.doesNotMatch(html, /Phone|Rooms/)
  assert.equal(
    text,
    'Name: Ann\n\nForm: Ask for a quote\nReceived: Monday, July 20, 2026 at 9:02 AM CDT\n\n' +
      'Open this lead:\nhttps://www.example.com/admin/inbox/7\n',
  )
})

test('a subject has the first short answer and the phone number or the next answer, without long texts, links, or files', () => {
  const answer = (type: string, text: string) => ({ label: type, text, type })
  const [name, email] = [answer('text', 'Ann'), answer('email', 'ann@example.com')]
  assert.equal(subjectOf({ answers: [name, email] }), 'Boiler service in Ennis: Ann, ann@example.com')
  assert.equal(
    subjectOf({ answers: [answer('text', ' '), email, answer('phone', '1')] }),
    'Boiler service in Ennis: ann@example.com, 1',
  )
  const others = ['textarea', 'url', 'file', 'hidden', 'checkbox'].map((type) => answer(type, 'x'))
  assert.equal(subjectOf({ answers: others }), 'Boiler service in Ennis')
  assert.equal(subjectOf({ serviceName: undefined, answers: [name] }), 'Ask for a quote in Ennis: Ann')
  assert.equal(subjectOf({ places: [], answers: [name] }), 'Boiler service: Ann')
})

test('a subject is one line of limited length without bidirectional controls', () => {
  const answers = (text: string) => [{ label: 'Name', text, type: 'text' }]
  assert.equal(
    subjectOf({ answers: answers('\u202Egnp\u2066Ann\r\nBcc: eve@example.com\u2028\u0000x\u200B ') }),
    'Boiler service in Ennis: gnp Ann Bcc: eve@example.com x',
  )
  assert.equal(
    subjectOf({ formName: 'Quote\r\nBcc: eve@example.com', serviceName: undefined, answers: [] }),
    'Quote Bcc: eve@example.com in Ennis',
  )
  const family = '👩‍👩‍👧'
  assert.equal(
    subjectOf({ answers: answers(family.repeat(500)) }),
    `Boiler service in Ennis: ${family.repeat(49)}…`,
  )
  const long = {
    serviceName: 'S'.repeat(9_000),
    places: ['P'.repeat(9_000)],
    answers: answers('A'.repeat(100_000)),
  }
  assert.ok(subjectOf(long).length < 200)
})

test('an email is in the site’s language', () => {
  const locale = { country: 'IL', language: 'he', timeZone: 'Asia/Jerusalem' }
  const { html, language } = composeMail(aContent({ locale }))
  assert.match(html, /^<!doctype html><html lang="he" dir="rtl">/)
  assert.match(html, /text-align:right.*<th [^>]*text-align:right[^>]*padding-left:16px/)
  assert.doesNotMatch(html, /text-align:left|padding-right/)
  assert.deepEqual(html.match(/<span dir="ltr">[^<]*/g), ['<span dir="ltr">087 123 4567'])
  const english = composeMail(aContent()).html
  assert.match(english, /<th [^>]*text-align:left[^>]*padding-right:16px/)
  assert.doesNotMatch(english, /text-align:right|padding-left|<span dir/)
  assert.equal(language, 'he')
})

test('a long text is a paragraph of the plain text, at most 72 characters wide', () => {
  const message = `Water ${'drips from the boiler '.repeat(8)}\nhttps://www.example.com/${'x'.repeat(80)} broke`
  const answers = [
    { label: 'Name', text: 'Ann', type: 'text' },
    { label: 'Message', text: message, type: 'textarea' },
    { label: 'Phone', text: '555 0142', type: 'phone' },
    { label: 'Notes', text: 'One\n\n\n\nTwo', type: 'textarea' },
  ]
  const lines = composeMail(aContent({ answers })).text.split('\n')
  assert.deepEqual(lines.slice(0, 16), [
    ...['Name: Ann', '', 'Message:'],
    'Water drips from the boiler drips from the boiler drips from the boiler',
    'drips from the boiler drips from the boiler drips from the boiler drips',
    'from the boiler drips from the boiler',
    `https://www.example.com/${'x'.repeat(80)}`,
    ...['broke', '', 'Phone: 555 0142', '', 'Notes:', 'One', '', 'Two', ''],
  ])
})

test('a visitor’s markup is shown as text', () => {
  const { html } = composeMail(
    aContent({
      answers: [{ label: ' <b>\r\n\u2028c ', text: '<img src=x>\n"&', type: 'text' }],
      leadUrl: 'https://a.example/?a=1&b="2"',
    }),
  )
  assert.match(html, />&lt;b&gt; c<\/th><td[^>]*>&lt;img src=x&gt;<br>&quot;&amp;<\/td>/)
  assert.match(html, /<a href="https:\/\/a\.example\/\?a=1&amp;b=&quot;2&quot;"[^>]*>Open this lead</)
})

test('the link to the lead comes first in an email that a client would clip, otherwise last', () => {
  const shownFirst = (length: number) => {
    const answers = [{ label: 'Note', text: 'x'.repeat(length), type: 'textarea' }]
    const { html } = composeMail(aContent({ answers }))
    return html.indexOf('Open this lead') < html.indexOf('>Note<')
  }
  assert.deepEqual([1_000, 200_000].map(shownFirst), [false, true])
})

test('a reply goes to one plain address or to nobody', () => {
  assert.equal(composeMail(aContent()).replyTo, 'aoife@example.com')
  for (const replyTo of ['a@b.c, d@e.f', 'Ada <a@b.c>', 'a@b.c\r\nBcc: d@e.f', 'a@b@c', 'group:a@b.c;', '']) {
    assert.equal(composeMail(aContent({ replyTo })).replyTo, undefined, replyTo)
  }
})

test('a phone answer in the HTML links to E.164; an undialable one has no link', () => {
  const { html } = composeMail(aContent({ formName: '087 123 4567' }))
  assert.equal(html.match(/<a href="tel:\+353871234567"[^>]*>087 123 4567<\/a>/g)?.length, 1, html)
  const answers = [{ label: 'Phone', text: 'after six <b>', type: 'phone' }]
  assert.doesNotMatch(composeMail(aContent({ answers })).html, /tel:|<b>/)
})

test('an email answer and the page of the form are links in the HTML', () => {
  const { html } = composeMail(aContent())
  assert.match(html, /<a href="mailto:aoife@example\.com"[^>]*>aoife@example\.com<\/a>/)
  assert.match(html, /<a href="https:\/\/www\.example\.com\/services\/boiler-service\/ennis"/)
  const answers = [{ label: 'Email', text: 'a@example.com, b@example.com', type: 'email' }]
  assert.doesNotMatch(composeMail(aContent({ answers })).html, /mailto:/)
  const note = [{ label: 'Note', text: 'ann@example.com', type: 'text' }]
  assert.doesNotMatch(composeMail(aContent({ answers: note })).html, /mailto:/)
})

test('contract §8: an entry has its own subject and text, with the references of webhooks', () => {
  const templates = {
    subject: '{{meta.service_name}} in {{meta.location_name}}: {{full_name}} ({{size.label}})',
    text: 'Call {{phone | default: "no number"}}.\n\n<b>{{full_name}}</b>\n',
  }
  const { subject, text, html } = composeMail(aContent({ templates }))
  assert.equal(subject, 'Boiler service in Ennis: Aoife Ní Bhriain (Large)')
  assert.equal(
    text,
    'Call no number.\n\n<b>Aoife Ní Bhriain</b>\n\nOpen this lead:\nhttps://www.example.com/admin/inbox/7\n',
  )
  assert.match(html, />Call no number\.<\/p><p[^>]*>&lt;b&gt;Aoife Ní Bhriain&lt;\/b&gt;<\/p>/)
  assert.match(html, /Open this lead/)
})

test('an entry’s subject is one line of limited length; an empty one is the default', () => {
  const answers = { full_name: 'Ann\r\nBcc: eve@example.com\u2028' }
  const subject = { answers, meta: {}, choices: new Map() }
  const withSubject = (text: string) => subjectOf({ templates: { subject: text }, subject })
  assert.equal(withSubject('Lead of {{full_name}}'), 'Lead of Ann Bcc: eve@example.com')
  assert.equal(withSubject('{{phone}}'), 'Boiler service in Ennis: Aoife Ní Bhriain, 087 123 4567')
  assert.ok(withSubject('x'.repeat(500)).length <= 200)
})

test('a mail lists the first visit and the pages seen on one line each', () => {
  const { text } = composeMail(aContent({ firstVisit: 'Bing,\nlanded on /', pagesSeen: ['/', '/about'] }))
  assert.match(text, /^.+: Bing, landed on \/$/m)
  assert.match(text, /^.+: \/, \/about$/m)
  const { text: without } = composeMail(aContent({ firstVisit: undefined, pagesSeen: [] }))
  assert.equal(without.split('\n').length, text.split('\n').length - 2)
})

test('an answer has no blank edges', () => {
  const { text } = composeMail(aContent({ answers: [{ label: ' Name ', text: '  Ann \n', type: 'text' }] }))
  assert.match(text, /^Name: Ann\n/)
})
