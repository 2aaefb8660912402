import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { linkParts, withoutLinks } from '#src/lib/markdown/link-parts.ts'
import { readTags } from '#src/site/tags/read-tags.ts'
import { originsOfTags, policyOfTags } from '#src/site/tags/site-tags.ts'
import { formatTagPolicy, parseTagPolicy, widenPolicy } from '#src/site/tags/tag-policy.ts'

const INLINE = 'window.dataLayer = [] // a & b < c'
const SNIPPET = `<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>
<script>${INLINE}</script>
<noscript><iframe src="https://frames.example/x"></iframe><img src="https://pixels.example/p.gif" alt=""></noscript>`

test('a snippet’s policy has its origins and the hashes of its scripts', () => {
  const { policy, faults } = readTags(SNIPPET)
  assert.deepEqual(faults, [])
  const hash = `sha256-${createHash('sha256').update(INLINE).digest('base64')}`
  const sources = (name: Parameters<typeof policy.get>[0]) => [...(policy.get(name) ?? [])]
  assert.deepEqual(sources('script-src'), [
    'https://www.googletagmanager.com',
    'https://*.googletagmanager.com',
    hash,
  ])
  assert.deepEqual(sources('frame-src'), ['https://frames.example'])
  assert.ok(sources('img-src').includes('https://pixels.example'))
  assert.ok(sources('connect-src').includes('https://*.google-analytics.com'))
})

test('a policy is extended only by valid sources', () => {
  const told =
    "script-src https://a.example 'unsafe-inline' *;frame-src https://b.example;base-uri https://c.example"
  const widened = widenPolicy("default-src 'none'; script-src 'self'", parseTagPolicy(told))
  assert.equal(
    widened,
    "default-src 'none'; script-src 'self' https://a.example; frame-src https://b.example",
  )
  const { policy } = readTags(SNIPPET)
  assert.deepEqual(parseTagPolicy(formatTagPolicy(policy)), policy)
})

test('origins are listed once each, with the settings’ additional ones', () => {
  const tags = {
    head: '<script src="https://a.example/x.js"></script>',
    origins: [{ origin: 'https://*.b.example' }],
  }
  assert.deepEqual(originsOfTags(tags), ['https://*.b.example', 'https://a.example'])
  assert.equal(policyOfTags(undefined).size, 0)
})

for (const [snippet, fault] of [
  ['<script src="http://a.example/x.js"></script>', 'tag_not_https'],
  ['<script src="data:text/javascript,1"></script>', 'tag_not_https'],
  ['<img src="https://a.example/" onerror="x()">', 'tag_event_handler'],
  ['<script>x()', 'tag_unclosed'],
  ['<form action="https://a.example/"></form>', 'tag_unclosed'],
  ['<base href="https://a.example/">', 'tag_unclosed'],
  ['<!-- chat widget, off for now', 'tag_unclosed'],
  ['<!widget, off for now', 'tag_unclosed'],
  ['<!-- ends --!><img src="https://a.example/x.png">', 'tag_unclosed'],
  ['<!--><img src="https://a.example/x.png">', 'tag_unclosed'],
  ['<script>var a = "<!--<script>"</script>', 'tag_unclosed'],
  ['<meta http-equiv="refresh" content="0; url=https://a.example/">', 'tag_unclosed'],
  [`<meta HTTP-EQUIV=Content-Security-Policy content="default-src 'none'">`, 'tag_unclosed'],
] as const)
  test(`${snippet} is refused: ${fault}`, () => assert.equal(readTags(snippet).faults[0], fault))

test('a closed comment and a meta tag with a name are accepted', () => {
  const snippet = `<!-- Google tag (gtag.js) -->\n${SNIPPET}<script>if(a<!0)b()</script><meta name="verify" content="x"><!-- end -->`
  assert.deepEqual(readTags(snippet).faults, [])
})

test('links in a line are paths and https addresses; anything else stays text', () => {
  assert.deepEqual(linkParts('I agree to the [privacy policy](/privacy) and [terms](https://a.example/t).'), [
    { text: 'I agree to the ' },
    { text: 'privacy policy', href: '/privacy' },
    { text: ' and ' },
    { text: 'terms', href: 'https://a.example/t' },
    { text: '.' },
  ])
  for (const line of ['[x](javascript:alert(1))', '[x](//evil.example)', '[x](/\\evil.example)', '[x]', ''])
    assert.deepEqual(linkParts(line), [{ text: line }])
  assert.equal(withoutLinks('I agree to the [privacy policy](/privacy).'), 'I agree to the privacy policy.')
})

for (const [snippet, policy] of [
  ['<style>p{}</style>', `style-src sha256-${createHash('sha256').update('p{}').digest('base64')}`],
  [
    '<link rel="StyleSheet" href="https://a.example/a.css">',
    'style-src https://a.example;font-src https://a.example',
  ],
  ['<link rel="preconnect" href="https://a.example">', ''],
  ['<link href="https://a.example">', ''],
  ['<div>Text</div>', ''],
] as const)
  test(`the policy of ${snippet} is ${policy || 'empty'}`, () =>
    assert.equal(formatTagPolicy(readTags(snippet).policy), policy))
