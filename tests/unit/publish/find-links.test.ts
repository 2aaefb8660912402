import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLinks } from '#src/publish/render/render-checked.ts'

const CASES: [name: string, html: string, links: string[]][] = [
  [
    'addresses of links, forms, and pictures',
    '<a href="/a"><form action="/b"><img src="/c.png">',
    ['/a', '/b', '/c.png'],
  ],
  ['an attribute on a line of its own', '<a\nhref="/a">', ['/a']],
  ['no query and no fragment', '<a href="/a?b=1"><a href="/c#d"><a href="/#top">', ['/a', '/c', '/']],
  ['no other sites', '<a href="//example.com/a"><a href="https://example.com/b">', []],
  ['no other attributes', '<a data-href="/a" hrefs="/b" title="/c"><use xlink:href="/d">="/e"', []],
  ['an address once', '<a href="/a"><a href="/a">', ['/a']],
  ['an address that the text ends in', '<a href="/a', ['/a']],
]

for (const [name, html, links] of CASES) {
  test(`the links of a page: ${name}`, () => {
    assert.deepEqual(findLinks(html, new Set()), links)
  })
}

test('a link that another page has is not listed again', () => {
  const seen = new Set<string>()
  assert.deepEqual(findLinks('<a href="/a">', seen), ['/a'])
  assert.deepEqual(findLinks('<a href="/a"><a href="/b">', seen), ['/b'])
})
