import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkParts, withoutLinks } from '#src/lib/markdown/link-parts.ts'

for (const [line, parts] of [
  ['', [{ text: '' }]],
  ['no link', [{ text: 'no link' }]],
  ['[Terms](/terms)', [{ text: 'Terms', href: '/terms' }]],
  [
    'I accept the [terms](/terms) and [rules](https://a.example/r?x=1#y).',
    [
      { text: 'I accept the ' },
      { text: 'terms', href: '/terms' },
      { text: ' and ' },
      { text: 'rules', href: 'https://a.example/r?x=1#y' },
      { text: '.' },
    ],
  ],
  [
    '[home](/)[more](/a)',
    [
      { text: 'home', href: '/' },
      { text: 'more', href: '/a' },
    ],
  ],
] as const)
  test(`${JSON.stringify(line)} has ${parts.length} parts`, () => {
    assert.deepEqual(linkParts(line), parts)
    assert.equal(withoutLinks(line), parts.map(({ text }) => text).join(''))
  })

test('only site paths and full URLs are links', () => {
  for (const href of [
    '//a.example',
    '/\\a.example',
    'http://a.example',
    'javascript:alert(1)',
    'terms',
    '/a b',
    '',
    '/a()',
  ])
    assert.deepEqual(linkParts(`[x](${href})`), [{ text: `[x](${href})` }], href)
  for (const text of ['', '[a]', 'x'.repeat(201)])
    assert.equal(
      linkParts(`[${text}](/a)`).some((part) => 'href' in part && part.text === text),
      false,
      text,
    )
  assert.equal(linkParts(`[${'x'.repeat(200)}](/${'a'.repeat(500)})`)[0]?.href?.length, 501)
  assert.equal(linkParts(`[x](/${'a'.repeat(501)})`)[0]?.href, undefined)
})
