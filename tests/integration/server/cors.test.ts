import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFront } from '../../support/front.ts'

const LISTED = 'https://shop.example.com'
const OTHER = 'https://evil.example'

const BODY = { full_name: 'Ada', email: 'ada@example.com', phone: '+44 20 7946 0958', role: 'Owner' }
const HEADERS: Record<string, Record<string, string>> = {
  OPTIONS: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  POST: { 'content-type': 'application/json' },
  GET: { accept: 'application/json' },
}

function ask(address: string, method: string, origin: string | undefined) {
  const headers = new Headers(HEADERS[method])
  if (origin !== undefined) headers.set('origin', origin)
  return fetch(address, { method, headers, body: method === 'POST' ? JSON.stringify(BODY) : null })
}

test('contract §2 only FORM_ORIGINS may read and post forms from other websites', async (t) => {
  const { url } = await startFront(t, { environment: { FORM_ORIGINS: `${LISTED}, https://www.example.com` } })
  const form = '/api/forms/waitlist'
  const post = `${form}/submissions`

  // What is asked, from where, and then: status, the origin that is let in.
  const table: [string, string, string, string | undefined, number, string | null][] = [
    ['a listed origin asks before it posts', 'OPTIONS', post, LISTED, 204, LISTED],
    [
      'the second of the list does',
      'OPTIONS',
      post,
      'https://www.example.com',
      204,
      'https://www.example.com',
    ],
    ['it asks before it reads', 'OPTIONS', form, LISTED, 204, LISTED],
    ['another origin asks', 'OPTIONS', post, OTHER, 405, null],
    ['nobody asks', 'OPTIONS', post, undefined, 405, null],
    ['a listed origin with another port asks', 'OPTIONS', post, `${LISTED}:8443`, 405, null],
    ['a listed origin without TLS asks', 'OPTIONS', post, 'http://shop.example.com', 405, null],
    ['an origin that begins like a listed one asks', 'OPTIONS', post, `${LISTED}.evil.example`, 405, null],
    ['an opaque origin asks', 'OPTIONS', post, 'null', 405, null],
    ['a listed origin asks for another address', 'OPTIONS', '/services', LISTED, 405, null],
    ['a listed origin asks for the admin', 'OPTIONS', '/admin/inbox', LISTED, 405, null],
    ['a listed origin posts', 'POST', post, LISTED, 201, LISTED],
    ['another origin posts', 'POST', post, OTHER, 403, null],
    ['a listed origin posts elsewhere', 'POST', '/services', LISTED, 403, null],
    ['a program posts', 'POST', post, undefined, 201, null],
    ['our own page posts', 'POST', post, url, 201, null],
    ['a listed origin reads', 'GET', form, LISTED, 200, LISTED],
    ['another origin reads, and its browser keeps the answer', 'GET', form, OTHER, 200, null],
    ['a listed origin asks for a form that is not there', 'GET', '/api/forms/nothing', LISTED, 404, LISTED],
    ['a listed origin reads a page', 'GET', '/services', LISTED, 200, null],
  ]
  for (const [name, method, path, origin, status, allowed] of table) {
    await t.test(name, async () => {
      const answer = await ask(url + path, method, origin)
      await answer.arrayBuffer()
      assert.equal(answer.status, status)
      assert.equal(answer.headers.get('access-control-allow-origin'), allowed)
      assert.equal(answer.headers.get('access-control-allow-credentials'), null)
      const varies = path.startsWith('/api/forms/') && status !== 405 && status !== 403
      assert.equal(answer.headers.get('vary'), varies ? 'Origin' : null)
      if (status !== 204) return
      assert.equal(answer.headers.get('access-control-allow-methods'), 'GET, POST')
      assert.equal(answer.headers.get('access-control-allow-headers'), 'content-type, accept')
    })
  }

  await t.test('cross-site request headers are accepted only for a listed origin', async () => {
    for (const [origin, status] of [
      [LISTED, 201],
      [OTHER, 403],
    ] as const) {
      const headers = { origin, 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' }
      const answer = await fetch(url + post, { method: 'POST', headers, body: JSON.stringify(BODY) })
      assert.equal(answer.status, status, origin)
    }
  })
})

test('contract §2 without FORM_ORIGINS every other origin is refused', async (t) => {
  const { url } = await startFront(t)
  const headers = { origin: LISTED, 'access-control-request-method': 'POST' }
  const answer = await fetch(`${url}/api/forms/waitlist/submissions`, { method: 'OPTIONS', headers })
  assert.equal(answer.status, 405)
  assert.equal(answer.headers.get('access-control-allow-origin'), null)
})
