import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { isOpenedByPerson, sourceOfRequest } from '#src/server/visits/visit-request.ts'
import { type Visit, VisitTally } from '#src/server/visits/visit-tally.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const OWN = new Set(['a.example'])

const request = (headers: Record<string, string>, { method = 'GET', url = '/' } = {}) =>
  ({ method, url, headers: { 'user-agent': BROWSER, ...headers } }) as unknown as IncomingMessage

test('only a person who opens a page counts as a view', () => {
  // The second time, the user agent is known.
  for (const [opened, isPerson] of [
    [request({}), true],
    [request({ 'sec-fetch-dest': 'document' }), true],
    [request({ purpose: 'other' }), true],
    [request({}, { method: 'HEAD' }), false],
    [request({}, { method: 'POST' }), false],
    [request({ 'sec-purpose': 'prefetch' }), false],
    [request({ purpose: 'prefetch' }), false],
    [request({ 'sec-fetch-dest': 'empty' }), false],
    [request({ 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }), false],
    [request({ 'user-agent': '' }), false],
    [{ method: 'GET', headers: {} } as IncomingMessage, false],
  ] as const)
    for (let time = 0; time < 2; time += 1)
      assert.equal(isOpenedByPerson(opened), isPerson, JSON.stringify(opened))
})

test('a view has the source that its request names', () => {
  for (const [headers, url, source] of [
    [{}, '/', 'direct'],
    [{}, '/?', 'direct'],
    [{}, '/?page=2', 'direct'],
    [{}, '/?utm_source=news&page=2', 'campaign:news'],
    [{ referer: 'https://www.google.com/' }, '/', 'search:google'],
    [{ referer: 'https://www.google.com/' }, '/?gclid=a', 'ads:google'],
    [{ referer: 'https://b.example/page' }, '/', 'site:b.example'],
    [{ referer: 'https://a.example/other' }, '/', 'onsite'],
    [{ referer: '' }, '/', 'onsite'],
    [{ referer: 'https://www.google.com/', 'sec-gpc': '1' }, '/?gclid=a', 'unknown'],
  ] as const)
    assert.equal(sourceOfRequest(request(headers, { url }), OWN), source, `${url} ${JSON.stringify(headers)}`)
})

const visit = (values: Partial<Visit> = {}): Visit => ({
  path: '/a',
  source: 'direct',
  views: 1,
  taps: 0,
  isServed: true,
  ...values,
})

test('visits add up by day, page, source, and whether the page was served', () => {
  const tally = new VisitTally()
  const [day, next] = ['2026-11-20', '2026-11-21']
  for (const one of [visit(), visit({ taps: 2 }), visit({ path: '/b' }), visit({ source: 'search:google' })])
    tally.add(one, day)
  tally.add(visit({ isServed: false, views: 0, taps: 1 }), day)
  tally.add(visit(), next)
  const expected = [
    { ...visit({ views: 2, taps: 2 }), day },
    { ...visit({ path: '/b' }), day },
    { ...visit({ source: 'search:google' }), day },
    { ...visit({ isServed: false, views: 0, taps: 1 }), day },
    { ...visit(), day: next },
  ]
  const first = tally.take(2)
  assert.deepEqual(first, expected.slice(0, 2))
  tally.add(visit({ path: '/b' }), day)
  tally.putBack(first)
  const rest = tally.take(100)
  assert.deepEqual(rest, [
    ...expected.slice(2),
    { ...visit({ path: '/b', views: 2 }), day },
    { ...visit({ views: 2, taps: 2 }), day },
  ])
  assert.deepEqual(tally.take(1), [])
})

test('made-up sources and pages cannot fill the memory', () => {
  const tally = new VisitTally()
  for (let index = 0; index < 302; index += 1) tally.add(visit({ source: `site:${index}` }), '2026-11-20')
  tally.add(visit({ source: 'site:299' }), '2026-11-20')
  tally.add(visit({ source: 'site:new' }), '2026-11-21')
  const days = tally.take(1_000)
  assert.equal(days.length, 302)
  assert.equal(days.find(({ source }) => source === 'other')?.views, 2)
  assert.equal(days.find(({ source }) => source === 'site:299')?.views, 2)
  assert.equal(days.at(-1)?.source, 'site:new')
  for (let index = 0; index < 20_001; index += 1) tally.add(visit({ path: `/${index}` }), '2026-11-21')
  tally.add(visit({ path: '/0' }), '2026-11-21')
  const pages = tally.take(30_000)
  assert.deepEqual([pages.length, pages[0]?.views], [20_000, 2])
})
