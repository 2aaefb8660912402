import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createDevelopmentMiddleware } from '#src/server/development/development-middleware.ts'
import { describeSubmission } from '#src/submissions/intake/notification-content.ts'
import { startAdmin } from '../../support/admin.ts'
import { atEnd } from '../../support/at-end.ts'
import { storeForm } from '../../support/forms.ts'
import { startFront } from '../../support/front.ts'
import { aMailLook } from '../../support/mail-look.ts'

const ADMIN = 'admin.example.com'
const SITE = 'www.example.com'
const JSON_POST = {
  ...{ method: 'POST', body: '{"answer":"Hi"}' },
  headers: { 'content-type': 'application/json', origin: `https://${SITE}` },
}

interface Ask {
  host?: string
  path: string
  method?: string
  from?: string
  body?: string
  headers?: Record<string, string>
}

function asker(port: number) {
  return async ({ host = ADMIN, path, method = 'GET', from, body, headers }: Ask) => {
    const all = { host, accept: 'text/html', ...(from && { 'x-forwarded-for': from }), ...headers }
    const sent = request({ port, host: '127.0.0.1', method, path, headers: all }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    const { statusCode: status, headers: answered } = response
    return { status, location: answered.location, cookies: answered['set-cookie'] ?? [] }
  }
}

test('ADMIN_HOST: the admin answers only on its host, and the site only on its own', async (t) => {
  const site = await startAdmin(t, {
    environment: {
      SITE_URL: `https://${SITE}`,
      ADMIN_HOST: 'Admin.Example.com',
      SECURITY_CONTACT: 'a@example.com',
    },
    prepare: ({ db }) => storeForm(db, 'contact'),
  })
  const ask = asker(site.port)
  const cookie = `__Host-${site.cookie}`
  const login = '/admin/login?next=%2Fadmin'
  const ROWS: [string, Ask, number, string?][] = [
    ['admin on its host', { path: '/admin' }, 303, login],
    ['admin, signed in', { path: '/admin', headers: { cookie } }, 200],
    ['admin on the site', { host: SITE, path: '/admin', headers: { cookie } }, 404],
    ['admin on the machine', { host: `127.0.0.1:${site.port}`, path: '/admin/login' }, 404],
    ['sign-in on the site', { host: SITE, path: '/admin/login', method: 'POST' }, 405],
    ['a page on the site', { host: SITE, path: '/services' }, 200],
    ['a page on the host of the admin', { path: '/services?a=1' }, 302, `https://${SITE}/services?a=1`],
    ['a page with a dot on the host of the admin', { path: '/v2.0' }, 302, `https://${SITE}/v2.0`],
    ['two slashes on the host of the admin', { path: '//evil' }, 302, `https://${SITE}//evil`],
    ['the root of the host of the admin', { path: '/' }, 302, '/admin'],
    ['a file on the host of the admin', { path: '/robots.txt' }, 200],
    ['security.txt', { host: SITE, path: '/.well-known/security.txt' }, 200],
    ['health', { path: '/health' }, 200],
    ['another host', { host: 'evil.example', path: '/admin' }, 421],
    [
      'a post from the site to the admin',
      { path: '/admin/theme', method: 'POST', headers: { cookie, origin: `https://${SITE}` } },
      403,
    ],
    [
      'a post from the admin to the site',
      {
        host: SITE,
        path: '/api/forms/none/submissions',
        method: 'POST',
        headers: { origin: `https://${ADMIN}` },
      },
      403,
    ],
    ['a form of the site', { ...JSON_POST, host: SITE, path: '/api/forms/contact/submissions' }, 201],
  ]
  for (const [name, one, status, location] of ROWS)
    await t.test(name, async () => {
      const answer = await ask(one)
      assert.deepEqual([answer.status, answer.location], [status, location])
    })
  await t.test('emails link to the admin’s host', async () => {
    const { id, form_id } = await site.app.db
      .selectFrom('form_submissions')
      .select(['id', 'form_id'])
      .executeTakeFirstOrThrow()
    const mail = { submissionId: id, formId: form_id, recipient: 'leads@example.com' }
    const content = await describeSubmission(site.app.db, mail, { ...site.app.config, look: aMailLook() })
    assert.equal(content?.leadUrl, `https://${ADMIN}/admin/inbox/${id}`)
  })
  await t.test('cookies belong only to the admin’s host', async () => {
    const type = 'application/x-www-form-urlencoded'
    const headers = { cookie, origin: `https://${ADMIN}`, 'content-type': type }
    const body = 'theme=dark&next=%2Fadmin'
    const { cookies } = await ask({ path: '/admin/theme', method: 'POST', headers, body })
    assert.ok(cookies.length > 0)
    for (const one of cookies) assert.match(one, /^__Host-(?!.*Domain).*Secure/i)
  })
})

test('npm run dev respects ADMIN_HOST and ADMIN_ALLOW', async (t) => {
  const { app } = await startFront(t, {
    environment: {
      ...{ SITE_URL: `https://${SITE}`, ADMIN_HOST: ADMIN },
      ...{ ADMIN_ALLOW: '192.0.2.0/24', TRUSTED_PROXIES: '1' },
    },
  })
  const middleware = createDevelopmentMiddleware(app)
  const server = createServer((incoming, response) =>
    middleware(incoming, response, () => response.end('for Astro')),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => void server.close())
  const ask = asker((server.address() as AddressInfo).port)
  const from = '192.0.2.7'
  const statusOf = async (one: Omit<Ask, 'path'>) => (await ask({ path: '/admin/login', ...one })).status
  assert.equal(await statusOf({ from }), 200)
  assert.equal(await statusOf({ from, method: 'POST' }), 200)
  assert.equal(await statusOf({ from, host: SITE }), 404)
  assert.equal(await statusOf({ from, host: SITE, method: 'POST' }), 404)
  assert.equal(await statusOf({ from: '192.0.3.7' }), 404)
  assert.equal((await ask({ path: '/services', host: SITE })).status, 200)
})

test('ADMIN_ALLOW: all other clients get 404 for the admin', async (t) => {
  const environment = { ADMIN_ALLOW: '192.0.2.0/24, 2001:db8::/32, 127.0.0.1', TRUSTED_PROXIES: '1' }
  const site = await startAdmin(t, { environment })
  const ask = asker(site.port)
  const host = `127.0.0.1:${site.port}`
  const ROWS: [string, Omit<Ask, 'path'>, boolean][] = [
    ['IPv4 of the list', { from: '192.0.2.7' }, true],
    ['IPv4 beside the list', { from: '192.0.3.7' }, false],
    ['mapped IPv4 of the list', { from: '::ffff:192.0.2.7' }, true],
    ['mapped IPv4 in hexadecimal', { from: '::ffff:c000:207' }, true],
    ['IPv6 of the list', { from: '2001:db8:1::7' }, true],
    ['IPv6 beside the list', { from: '2001:db9::7' }, false],
    ['an address that the client wrote itself', { from: '192.0.2.7, 198.51.100.1' }, false],
    [
      'the proxy cannot be impersonated',
      { from: '198.51.100.1', headers: { forwarded: 'for=1.1.1.1' } },
      false,
    ],
    ['a header that names nobody', { from: 'unknown' }, false],
    ['a client on the machine itself', {}, true],
  ]
  for (const [name, one, isAllowed] of ROWS)
    await t.test(name, async () => {
      assert.equal((await ask({ host, path: '/admin/login', ...one })).status, isAllowed ? 200 : 404)
      const posted = await ask({ host, path: '/admin/login', method: 'POST', ...one })
      assert.equal(posted.status, isAllowed ? 422 : 405)
    })
  assert.equal((await ask({ host, path: '/services', from: '192.0.3.7' })).status, 200)
})
