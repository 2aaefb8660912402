import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeReply } from '#src/notifications/replies/compose-reply.ts'
import { aMailLook } from '../../support/mail-look.ts'

const TEXT =
  'Hi {{name}}, you asked on {{meta.page_path | default: "our site"}} {{meta.page_url | default: ""}}'

function textOf(name: string, page: string): string {
  const meta = { page_path: page, page_url: `https://www.example.com${page}` }
  const subject = { answers: { name }, choices: new Map(), meta } as never
  const content = { subject: 'Hi', text: TEXT, replyTo: undefined, look: aMailLook() }
  return (
    composeReply({ ...content, language: 'en', filledFrom: subject })
      .text.split('\n\n')[0]
      ?.replaceAll('\n', ' ') ?? ''
  )
}

test('a page of the site is named in a reply', () => {
  const page = '/services/ac-repair/austin'
  assert.equal(textOf('Ann', page), `Hi Ann, you asked on ${page} https://www.example.com${page}`)
})

for (const page of ['/\u200bhttps://evil.example/win', '//evil.example', '/evil.example/win', '/ @evil'])
  test(`the page ${JSON.stringify(page)} is left out of a reply`, () =>
    assert.equal(textOf('Ann', page).trim(), 'Hi Ann, you asked on our site'))

for (const [name, shown] of [
  ['कंपनी.com/x', 'कंपनी com/x'],
  ['💩.la/x', '💩 la/x'],
  ['evil．com evil。com', 'evil com evil com'],
  ['_http://1249763844/', '_http1249763844/'],
  ['https://evil.example/x', 'evil example/x'],
  ['eve@example.com', 'eve example com'],
] as const)
  test(`${name} isn’t a link in a reply`, () =>
    assert.equal(textOf(name, '/').trim(), `Hi ${shown}, you asked on / https://www.example.com/`))

const THANKS = { subject: 'Hi', text: 'Thank you.', replyTo: undefined, language: 'en' }
const NOTHING = { answers: {}, meta: {}, choices: new Map() } as never
const thanksOf = (look: Parameters<typeof aMailLook>[0]) =>
  composeReply({ ...THANKS, look: aMailLook(look), filledFrom: NOTHING })

test('a reply has the name, colors, and contact details of the site', () => {
  const { html, text } = thanksOf({})
  assert.match(html, /background-color:#1c2766;color:#ffffff[^>]*><a href="https:\/\/www\.example\.com"/)
  assert.match(html, /align="center"[^>]*>S<\/td>/)
  assert.match(html, /12 Abbey Street<br>Ennis, V95 X2Y3<br><a href="tel:\+353656821234"/)
  assert.match(
    html,
    /\[style\^="background-color:#1c2766;color:#ffffff"\]\{background-color:#1a235a!important/,
  )
  assert.equal(
    text,
    [
      ...['Thank you.', '', 'Shannon Plumbing & Heating', '12 Abbey Street', 'Ennis, V95 X2Y3'],
      ...['065 682 1234', 'office@shannon.example', 'https://www.example.com', ''],
    ].join('\n'),
  )
})

test('a reply shows the icon of the site instead of a letter, and leaves out missing details', () => {
  const icon = 'https://www.example.com/_astro/icon-1-180.png'
  const { html, text } = thanksOf({ icon, phone: null, email: null, address: null })
  assert.match(
    html,
    /<img src="https:\/\/www\.example\.com\/_astro\/icon-1-180\.png" width="40" height="40" alt=""/,
  )
  assert.doesNotMatch(html, /align="center" style="background-color:#ffc53d|tel:|mailto:|<br><br>/)
  assert.equal(text, 'Thank you.\n\nShannon Plumbing & Heating\nhttps://www.example.com\n')
})

test('a site whose name has no letter or digit gets no letter, and another one gets its first', () => {
  assert.doesNotMatch(thanksOf({ siteName: '★★' }).html, /align="center" style="background-color:#ffc53d/)
  assert.match(
    thanksOf({ siteName: '“école”' }).html,
    /<td width="40" height="40" align="center"[^>]*>É<\/td>/,
  )
})

test('a reply shows a telephone number that can’t be dialed as text, and an email address as a link', () => {
  const { html } = thanksOf({ phone: { text: 'ext. <7>', dial: undefined } as never, address: null })
  assert.match(html, /<br>ext\. &lt;7&gt;<br><a href="mailto:office@shannon\.example"/)
  assert.doesNotMatch(thanksOf({ phone: null }).html, /Stryker|undefined|null/)
})

test('the chosen options of a reply keep the owner’s words, and its text has no blank edges', () => {
  const choices = new Map([['size', new Map([['large.1', 'Large (see example.com)']])]])
  const answers = { size: 'large.1', agreed: true, note: null, name: 'Ann https://evil.example' }
  const { text } = composeReply({
    ...THANKS,
    text: '\n\n{{size.label}}, {{agreed}}, {{note | default: "none"}}, {{name}}\n\n\n',
    look: aMailLook(),
    filledFrom: { answers, meta: {}, choices } as never,
  })
  assert.match(text, /^Large \(see example\.com\), \S+, none, Ann evil example\n\nShannon/)
})
