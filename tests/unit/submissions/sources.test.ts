import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Touch } from '#src/db/tables/submission-source.ts'
import { readSource } from '#src/submissions/sources/read-source.ts'
import { sourceKind, sourceName } from '#src/templates/source-name.ts'

const OWN = new Set(['www.example.com'])
const NOW = new Date('2026-11-20T10:00:00.000Z')
const FORM_PAGE = 'https://www.example.com/services/ac-repair'

const read = (sent: unknown, more: Partial<Parameters<typeof readSource>[0]> = {}) =>
  readSource({ sent, pagePath: '/services/ac-repair', ownHosts: OWN, now: NOW, ...more })

for (const [name, kind] of [
  ['ads:google', 'ads'],
  ['site:shop.example.org:8080', 'referral'],
  ['direct', 'direct'],
  ['unknown', null],
  [null, null],
  ['constructor', null],
] as const)
  test(`the kind of the source ${name} is ${kind}`, () => assert.equal(sourceKind(name), kind))

const NAMES: [name: string, touch: Touch][] = [
  ['ads:google', { gclid: 'x', utm_source: 'newsletter', referrer: 'https://www.bing.com/' }],
  ['ads:google', { gbraid: 'x' }],
  ['ads:google', { wbraid: 'x' }],
  ['ads:microsoft', { msclkid: 'x' }],
  ['ads:facebook', { utm_source: 'Facebook', utm_medium: 'paid_social' }],
  ['ads:google', { utm_source: 'google', utm_medium: 'cpc' }],
  ['email:spring letter', { utm_source: ' Spring \t Letter ', utm_medium: 'Email' }],
  ['campaign:van', { utm_source: 'van' }],
  ['campaign:20261124', { utm_source: '20261124' }],
  ['direct', { utm_source: 'ann@example.com', utm_medium: 'email' }],
  ['direct', { utm_source: '+1 512 555 0142' }],
  ['direct', { utm_source: '(087) 765-4321', utm_medium: 'cpc' }],
  // Encoded twice by the program that sent the link.
  ['direct', { utm_source: 'Ann%40example.com', utm_medium: 'cpc' }],
  ['social:facebook', { fbclid: 'x' }],
  ['search:google', { referrer: 'https://www.google.ie/' }],
  ['search:google', { referrer: 'https://news.google.co.uk/search?q=a' }],
  ['search:duckduckgo', { referrer: 'https://duckduckgo.com/' }],
  ['search:google', { referrer: 'android-app://com.google.android.googlequicksearchbox/' }],
  ['social:facebook', { referrer: 'https://l.facebook.com/l.php' }],
  ['social:x', { referrer: 'https://t.co/abc' }],
  ['social:linkedin', { referrer: 'https://lnkd.in/abc' }],
  ['site:shop.example.org', { referrer: 'https://shop.example.org/plumbers' }],
  ['site:shop.example.org', { referrer: 'https://shop.example.org:8080/' }],
  ['direct', { referrer: 'https://www.example.com/about' }],
  ['direct', { referrer: 'no address' }],
  ['direct', { referrer: 'javascript:alert(1)' }],
  ['direct', { landing_page: '/' }],
  ['direct', { referrer: 'ftp://www.google.com/' }],
  ['direct', { referrer: 'about:blank' }],
  ['search:google', { referrer: 'http://www.google.com/' }],
  [`site:${'x'.repeat(60)}.exa`, { referrer: `https://${'x'.repeat(60)}.example/` }],
  ['site:shop.m.example.org', { referrer: 'https://shop.m.example.org/' }],
  ['social:facebook', { utm_source: 'ann@example.com', fbclid: 'x' }],
  ['campaign:van', { utm_source: 'van', fbclid: 'x' }],
]

for (const [name, touch] of NAMES) {
  test(`${JSON.stringify(touch)} is named ${name}`, () => assert.equal(sourceName(touch, OWN), name))
}

test('contract §8 the script’s record is stored: values cut at 512 characters, unknown keys dropped', () => {
  const long = '🚐'.repeat(600)
  const sent = {
    first: { at: 'a', landing_page: '/a', referrer: 'https://www.google.com/', password: 'x' },
    last: { utm_campaign: long, utm_term: 7, gclid: 'g', utm_source: '' },
    pages: ['/a', 7, '/b'],
    more: true,
  }
  assert.deepEqual(read(JSON.stringify(sent)), {
    source: {
      first: { at: 'a', landing_page: '/a', referrer: 'https://www.google.com/' },
      last: { utm_campaign: '🚐'.repeat(512), gclid: 'g' },
      pages: ['/a', '/b'],
    },
    name: 'ads:google',
  })
})

test('without a record the source is read from the page’s tags', () => {
  const referrer = `${FORM_PAGE}?utm_source=google&utm_medium=cpc&gclid=abc&name=Ada`
  assert.deepEqual(read('', { referrer }), {
    source: {
      last: {
        at: NOW.toISOString(),
        landing_page: '/services/ac-repair',
        referrer: FORM_PAGE,
        utm_source: 'google',
        utm_medium: 'cpc',
        gclid: 'abc',
      },
    },
    name: 'ads:google',
  })
  assert.equal(read(undefined, { referrer: FORM_PAGE })?.name, 'unknown')
  assert.equal(read(undefined, { pagePath: undefined }), undefined)
})

test('invalid JSON, oversize JSON, and other types count as not sent', () => {
  const unnoted = read(undefined, { referrer: FORM_PAGE })
  for (const sent of [
    '{',
    '[]',
    '7',
    'null',
    '{"first":3}',
    ['{}'],
    7,
    `{"last":{"at":"${'x'.repeat(40_000)}"}}`,
  ])
    assert.deepEqual(read(sent, { referrer: FORM_PAGE }), unnoted, String(sent).slice(0, 20))
})

test('a page without tags, and a post from another origin, record only the page', () => {
  const at = NOW.toISOString()
  const page = { landing_page: '/services/ac-repair' }
  assert.deepEqual(read('', { referrer: FORM_PAGE }), {
    source: { last: { at, ...page, referrer: FORM_PAGE } },
    name: 'unknown',
  })
  const origin = { referrer: 'https://www.example.com/' }
  assert.deepEqual(read('', origin)?.source.last, { at, ...page, ...origin })
  assert.deepEqual(read('', { ...origin, pagePath: undefined })?.source.last, {
    ...{ at, landing_page: '/', ...origin },
  })
  assert.deepEqual(read('', { referrer: `${FORM_PAGE}/austin` })?.source.last, {
    ...{ at, landing_page: '/services/ac-repair/austin', referrer: `${FORM_PAGE}/austin` },
  })
  assert.deepEqual(read('', { referrer: 'https://www.google.com/' })?.name, 'search:google')
  assert.deepEqual(read('', {})?.source, { last: { at, ...page } })
  assert.equal(read('', { pagePath: undefined }), undefined)
})

test('a record without pages has none, a single touch is the last one, and control characters are removed', () => {
  const note = (sent: object) => read(JSON.stringify(sent))?.source
  const touch = { utm_source: 'van' }
  assert.deepEqual(note({ last: touch }), { last: touch })
  assert.deepEqual(note({ first: touch, pages: [] }), { first: touch, last: touch })
  assert.deepEqual(note({ first: null, last: { utm_source: 'v\u0007an' } }), { last: touch })
  assert.deepEqual(note({ last: touch, pages: ['/a\n', 'x'.repeat(600)] })?.pages, ['/a', 'x'.repeat(512)])
  assert.equal(note({ last: { utm_source: 'x'.repeat(512) } })?.last?.utm_source?.length, 512)
})

test('Global Privacy Control stores nothing but that the visitor opted out', () => {
  const optedOut = read('{"last":{"gclid":"x"}}', { referrer: FORM_PAGE, isPrivate: true })
  assert.deepEqual(optedOut, { source: { optedOut: true }, name: null })
})

test('any input is accepted and stored as short, well-formed text', () => {
  const anything = fc.oneof(fc.json(), fc.string(), fc.anything())
  const property = fc.property(anything, fc.string({ unit: 'binary' }), (sent, referrer) => {
    const kept = read(sent, { referrer })
    for (const text of Object.values({ ...kept?.source.first, ...kept?.source.last }))
      assert.ok([...text].length <= 512 && text.isWellFormed() && !/\p{Cc}/u.test(text))
    assert.ok((kept?.name?.length ?? 0) < 90)
  })
  fc.assert(property, { numRuns: 2_000 })
})
