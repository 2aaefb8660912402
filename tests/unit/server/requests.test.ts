import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { createAdminAccess } from '#src/server/admin/admin-access.ts'
import { createWayToSite } from '#src/server/admin/admin-host.ts'
import { createCors, isFormsPath } from '#src/server/http/cors.ts'
import { createRequestCheck } from '#src/server/http/request-check.ts'
import { securityHeaders, serverHeaders } from '#src/server/http/security-headers.ts'
import { plainDocument } from '#src/server/plain-pages/plain-page.ts'

const LISTED = 'https://shop.example'

const request = (url: string | undefined, values: Partial<IncomingMessage> = {}) =>
  ({ url, method: 'GET', headers: {}, socket: { remoteAddress: '192.0.2.1' }, ...values }) as IncomingMessage

/** Records what is sent. */
function aResponse() {
  const sent: { status?: number; headers: Record<string, string>; isEnded: boolean } = {
    headers: {},
    isEnded: false,
  }
  const response = {
    setHeader: (name: string, value: string) => Object.assign(sent.headers, { [name]: value }),
    writeHead(status: number, headers: Record<string, string>) {
      sent.status = status
      Object.assign(sent.headers, headers)
      return response
    },
    end() {
      sent.isEnded = true
    },
  }
  return { response: response as unknown as ServerResponse, sent }
}

test('only listed origins may read and post forms', () => {
  const form = '/api/forms/waitlist'
  const preflight = { 'access-control-request-method': 'POST' }
  for (const [origins, asked, expected] of [
    [[], request(form, { headers: { origin: LISTED } }), {}],
    [[LISTED], request('/', { headers: { origin: LISTED } }), {}],
    [[LISTED], request(undefined, { headers: { origin: LISTED } }), {}],
    [[LISTED], request(form), { vary: 'Origin' }],
    [[LISTED], request(form, { headers: { origin: 'https://evil.example' } }), { vary: 'Origin' }],
    [
      ['https://a.example', LISTED],
      request(form, { headers: { origin: LISTED } }),
      {
        vary: 'Origin',
        'access-control-allow-origin': LISTED,
        'access-control-expose-headers': 'retry-after',
      },
    ],
    [
      [LISTED],
      request(form, { headers: { origin: LISTED, ...preflight } }),
      {
        vary: 'Origin',
        'access-control-allow-origin': LISTED,
        'access-control-expose-headers': 'retry-after',
      },
    ],
    [
      [LISTED],
      request(form, { method: 'OPTIONS', headers: { origin: LISTED } }),
      {
        vary: 'Origin',
        'access-control-allow-origin': LISTED,
        'access-control-expose-headers': 'retry-after',
      },
    ],
  ] as const) {
    const { response, sent } = aResponse()
    assert.equal(createCors(origins)(asked, response), 'go_on')
    assert.deepEqual(sent, { headers: expected, isEnded: false })
  }
  const { response, sent } = aResponse()
  const asked = request(form, { method: 'OPTIONS', headers: { origin: LISTED, ...preflight } })
  assert.equal(createCors([LISTED])(asked, response), 'answered')
  assert.deepEqual(sent, {
    status: 204,
    isEnded: true,
    headers: {
      vary: 'Origin',
      'access-control-allow-origin': LISTED,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type, accept',
      'access-control-max-age': '600',
    },
  })
  assert.equal(isFormsPath('/other/api/forms/a'), false)
})

test('the admin is reached by its host and from its addresses only', () => {
  const at = (host: string | undefined, remoteAddress: string) =>
    request('/admin', {
      headers: host === undefined ? {} : { host },
      socket: { remoteAddress } as IncomingMessage['socket'],
    })
  const adminHost = 'admin.example'
  const adminAllow = ['192.0.2.0/24']
  for (const [config, asked, mayReach] of [
    [{}, at('a.example', '198.51.100.1'), true],
    [{ adminHost }, at('Admin.Example', '198.51.100.1'), true],
    [{ adminHost }, at('a.example', '198.51.100.1'), false],
    [{ adminHost }, at(undefined, '198.51.100.1'), false],
    [{ adminAllow }, at('a.example', '192.0.2.7'), true],
    [{ adminAllow }, at('a.example', '198.51.100.1'), false],
    [{ adminHost, adminAllow }, at('a.example', '192.0.2.7'), false],
    [{ adminHost, adminAllow }, at('admin.example', '198.51.100.1'), false],
    [{ adminHost, adminAllow }, at('admin.example', '192.0.2.7'), true],
  ] as const) {
    const noted: unknown[] = []
    const access = createAdminAccess({
      config: { adminHost: undefined, adminAllow: [], trustedProxies: 0, ...config },
      refusals: { note: (code) => noted.push(code) },
    })
    const name = `${JSON.stringify(config)} ${asked.headers.host} ${asked.socket.remoteAddress}`
    assert.equal(access(asked), mayReach, name)
    assert.deepEqual(noted, mayReach ? [] : ['forbidden'], name)
  }
})

test('on the admin’s host, pages of the site redirect to the site', () => {
  const adminHost = 'admin.example'
  const siteUrl = 'https://a.example'
  const way = createWayToSite({ adminHost, siteUrl })
  const headers = { host: 'ADMIN.example' }
  for (const [asked, location] of [
    [request('/', { headers }), '/admin'],
    [request('/?a=b', { headers }), '/admin'],
    [request(undefined, { headers }), '/admin'],
    [request('/services/boiler?a=b.png', { headers }), 'https://a.example/services/boiler?a=b.png'],
    [request('/services', { headers, method: 'HEAD' }), 'https://a.example/services'],
    [request('/administration', { headers }), 'https://a.example/administration'],
    [request('/services', { headers, method: 'POST' }), undefined],
    [request('/services', { headers: { host: 'a.example' } }), undefined],
    [request('/admin', { headers }), undefined],
    [request('/admin/inbox', { headers }), undefined],
    [request('/health', { headers }), undefined],
    [request('/pictures/a.png', { headers }), undefined],
  ] as const) {
    const { response, sent } = aResponse()
    assert.equal(way(asked, response), location !== undefined, String(asked.url))
    const redirect = { headers: { location, 'cache-control': 'no-store' }, isEnded: true, status: 302 }
    assert.deepEqual(
      sent,
      location === undefined ? { headers: {}, isEnded: false } : redirect,
      String(asked.url),
    )
  }
  const { response } = aResponse()
  assert.equal(createWayToSite({ adminHost: undefined, siteUrl })(request('/', { headers }), response), false)
})

test('every answer has the security headers, behind https also HSTS, and the server’s report', () => {
  const plain = new Map(securityHeaders({ siteUrl: 'http://a.example' }))
  const secure = new Map(securityHeaders({ siteUrl: 'https://a.example' }))
  assert.equal(plain.has('strict-transport-security'), false)
  assert.equal(secure.get('strict-transport-security'), 'max-age=31536000')
  for (const [name, value] of plain) assert.equal(secure.get(name), value)
  const policy = plain.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; /)
  plain.delete('content-security-policy')
  assert.deepEqual(Object.fromEntries(plain), {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cross-origin-opener-policy': 'same-origin',
  })
  const server = new Map(serverHeaders({ siteUrl: 'https://a.example' }))
  assert.equal(server.get('content-security-policy'), `${policy}; report-uri /api/csp-reports; report-to csp`)
  assert.equal(server.get('reporting-endpoints'), 'csp="/api/csp-reports"')
  assert.equal(server.get('x-content-type-options'), 'nosniff')
  assert.ok(server.has('strict-transport-security'))
})

test('a page without the site’s look refreshes itself only if asked', () => {
  const page = { title: 'A', style: '', main: '<p>b</p>' }
  assert.doesNotMatch(plainDocument(page), /http-equiv/)
  assert.match(
    plainDocument({ ...page, refreshAfter: 5 }),
    /<meta http-equiv="refresh" content="5">\n<title>A<\/title>/,
  )
})

test('a request names one host of the site, a plain address, and for posts its own origin', () => {
  const config = {
    ...{ siteUrl: 'https://a.example', adminUrl: 'https://admin.a.example' },
    ...{ host: '0.0.0.0', port: 4321, formOrigins: ['https://shop.example'] },
  }
  const check = createRequestCheck(config)
  const together = createRequestCheck({ ...config, adminUrl: config.siteUrl })
  const ask = (
    url: string,
    {
      method = 'GET',
      host = 'a.example' as string | string[],
      ...headers
    }: Record<string, string | string[]> = {},
    by = check,
  ) => {
    const hosts = [host].flat()
    return by({
      ...{ method, url, headers: { host: hosts[0], ...headers } },
      headersDistinct: hosts.length === 0 ? {} : { host: hosts },
    } as unknown as IncomingMessage)
  }
  const form = '/api/forms/waitlist/submissions'
  const post = { method: 'POST' }
  const own = 'https://a.example'
  const adminHost = 'admin.a.example'
  const adminOrigin = 'https://admin.a.example'
  const shop = 'https://shop.example'
  for (const [url, values, status, code] of [
    ['/', {}, undefined, undefined],
    ['/', { host: 'A.Example' }, undefined, undefined],
    ['/', { host: 'admin.a.example' }, undefined, undefined],
    ['/', { host: 'localhost:4321' }, undefined, undefined],
    ['/', { host: '127.0.0.1:4321' }, undefined, undefined],
    ['/', { host: '[::1]:4321' }, undefined, undefined],
    ['/', { host: 'localhost' }, 421, 'host_refused'],
    ['/', { host: 'b.example' }, 421, 'host_refused'],
    ['/', { host: [] }, 400, 'host_refused'],
    ['/', { host: ['a.example', 'a.example'] }, 400, 'host_refused'],
    ['/', { method: 'HEAD' }, undefined, undefined],
    ['/', { method: 'PUT' }, 405, 'request_refused'],
    ['/admin?a', { method: 'PUT' }, 405, 'request_refused'],
    ['/administer', { method: 'PUT' }, 405, 'request_refused'],
    ['/', { method: 'OPTIONS', origin: shop }, 405, 'request_refused'],
    [form, { method: 'OPTIONS', origin: shop }, undefined, undefined],
    [form, { method: 'OPTIONS', origin: own }, 405, 'request_refused'],
    ['http://a.example/', {}, 400, 'request_refused'],
    ['/a%00', {}, 400, 'request_refused'],
    ['/a?b=%00', {}, 400, 'request_refused'],
    ['/a%2500', {}, 400, 'request_refused'],
    ['/a?b=%2500', {}, undefined, undefined],
    ['/a%', {}, undefined, undefined],
    ['/', post, undefined, undefined],
    ['/', { ...post, origin: own, 'sec-fetch-site': 'same-origin' }, undefined, undefined],
    ['/', { ...post, 'sec-fetch-site': 'none' }, undefined, undefined],
    ['/', { ...post, origin: own, 'sec-fetch-site': 'same-site' }, 403, 'origin_refused'],
    ['/', { ...post, origin: shop }, 403, 'origin_refused'],
    ['/', { ...post, origin: 'http://localhost:4321' }, undefined, undefined],
    ['/', { ...post, origin: adminOrigin }, 403, 'origin_refused'],
    ['/', { ...post, host: adminHost, origin: adminOrigin }, undefined, undefined],
    ['/', { ...post, host: adminHost, origin: own }, 403, 'origin_refused'],
    [form, { ...post, origin: shop, 'sec-fetch-site': 'cross-site' }, undefined, undefined],
    [form, { ...post, origin: 'https://b.example' }, 403, 'origin_refused'],
    [form, { ...post, 'sec-fetch-site': 'cross-site' }, 403, 'origin_refused'],
    ['/', { method: 'HEAD', origin: shop }, undefined, undefined],
    ['/', { origin: shop }, undefined, undefined],
  ] as const) {
    const refusal = ask(url, values as Record<string, string | string[]>)
    assert.deepEqual([refusal?.status, refusal?.code], [status, code], `${url} ${JSON.stringify(values)}`)
    const allowed = url === '/' || url === '/administer' ? 'GET, HEAD' : 'GET, HEAD, POST'
    assert.equal(refusal?.allow, status === 405 ? allowed : undefined)
    assert.equal(Boolean(refusal?.reason), status !== undefined)
  }
  assert.equal(ask('/', { ...post, origin: own }, together), undefined)
  const long = ask('/', { host: 'b'.repeat(200) })?.reason ?? ''
  assert.ok(long.includes(`“${'b'.repeat(100)}”`), long)
})
