import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeReply } from '#src/notifications/replies/compose-reply.ts'

const TEXT =
  'Hi {{name}}, you asked on {{meta.page_path | default: "our site"}} {{meta.page_url | default: ""}}'

function textOf(name: string, page: string): string {
  const meta = { page_path: page, page_url: `https://www.example.com${page}` }
  const subject = { answers: { name }, choices: new Map(), meta } as never
  const content = { subject: 'Hi', text: TEXT, replyTo: undefined, siteName: 'Shannon', accent: undefined }
  return composeReply({ ...content, language: 'en', filledFrom: subject }).text.split('\n')[0] ?? ''
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
