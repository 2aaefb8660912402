import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { indexNowFile } from '#src/publish/outlets/index-now-file.ts'
import { releaseAt, switchToRelease } from '#src/publish/release/release.ts'
import { createFront, type FrontOptions } from '#src/server/http/front.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'

const LIVE = '20261124T090000000Z'
const SHOP = 'https://shop.example'

/** The server in front over a release with the page `/a`, and as much of the program as it asks for. */
async function aFront(
  t: TestContext,
  options: Partial<FrontOptions> = {},
  environment: Record<string, string> = {},
) {
  const db = await openTestDatabase(t)
  const [dataDir, clientDir] = [temporaryFolder(t), temporaryFolder(t)]
  const config = readConfig({
    ...{ DATA_DIR: dataDir, SITE_URL: 'https://www.example.com', FORM_ORIGINS: SHOP },
    ...environment,
  })
  const noted: string[] = []
  const viewed: string[] = []
  const state = { joined: true, taking: true, visit: undefined as Error | undefined }
  const app = {
    ...{ db, promptDb: db, config, schemaRevision: '0385_x' },
    log: { error: (_: object, message: string) => noted.push(message), warn() {} },
    refusals: { note: (code: string) => noted.push(code) },
    visits: {
      countView: (_: object, path: string) => viewed.push(path),
      count() {
        if (state.visit) throw state.visit
      },
    },
    publishing: { hasJoined: () => state.joined, settle: undefined },
    intakeHealth: { isTakingPosts: async () => state.taking },
  } as unknown as Parameters<typeof createFront>[0]
  const server = createFront(app, { clientDir, renderer: async () => 'page', ...options })
  server.listen(0, '127.0.0.1')
  atEnd(t, () => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  async function ask(path: string, { method = 'GET', body, ...headers }: Record<string, string> = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const asked = { host: `127.0.0.1:${port}`, 'user-agent': 'Mozilla/5.0 Firefox/140.0', ...headers }
    const options = { host: '127.0.0.1', port, path, method, headers: asked, agent: false as const }
    httpRequest(options, resolve).on('error', reject).end(body)
    const answer = await promise
    const text = (await answer.toArray()).join('')
    return { status: answer.statusCode, headers: answer.headers, text, noted: noted.splice(0) }
  }
  async function publish() {
    const release = releaseAt(dataDir, LIVE)
    mkdirSync(release.siteDir, { recursive: true })
    writeFileSync(join(release.siteDir, 'a.html'), 'A')
    await switchToRelease(dataDir, release)
  }
  return { config, state, viewed, ask, publish }
}

test('a server is healthy once it shows the live release and could store a post', async (t) => {
  const { state, ask, publish } = await aFront(t)
  const health = async () => {
    const { status, text, headers } = await ask('/health?a=b')
    assert.deepEqual([headers['content-type'], headers['cache-control']], ['application/json', 'no-store'])
    return [status, JSON.parse(text)]
  }
  const unavailable = { status: 'unavailable', release: LIVE, schema: '0385_x' }
  assert.deepEqual(await health(), [503, { ...unavailable, release: null }])
  await publish()
  await new Promise((resolve) => setTimeout(resolve, 120))
  assert.deepEqual(await health(), [200, { ...unavailable, status: 'ok' }])
  state.joined = false
  assert.deepEqual(await health(), [503, unavailable])
  Object.assign(state, { joined: true, taking: false })
  assert.deepEqual(await health(), [503, unavailable])
})

test('each request goes to what answers its address', async (t) => {
  const { viewed, ask, publish } = await aFront(t)
  await publish()
  const page = await ask('/a?b')
  assert.deepEqual([page.status, page.text, viewed], [200, 'A', ['/a']])
  assert.match(String(page.headers['content-security-policy']), /report-to csp$/)
  assert.match(String(page.headers['strict-transport-security']), /^max-age=/)
  for (const [path, options, status, noted] of [
    ['/none', {}, 404, []],
    ['/admin', {}, 404, []],
    ['/api/forms/none', {}, 404, []],
    ['/api/csp-reports', {}, 405, ['request_refused']],
    ['/api/previews/none', {}, 404, []],
    ['/api/visits', { method: 'POST' }, 204, []],
    ['/a', { method: 'POST' }, 405, ['request_refused']],
    ['/a', { host: 'b.example' }, 421, ['host_refused']],
    ['/a', { method: 'POST', host: 'b.example' }, 421, ['host_refused']],
    ['/a', { method: 'PUT' }, 405, ['request_refused']],
    ['/a', { method: 'POST', origin: SHOP }, 403, ['origin_refused']],
  ] as const) {
    const answer = await ask(path, options as Record<string, string>)
    assert.deepEqual([answer.status, answer.noted], [status, noted], `${path} ${JSON.stringify(options)}`)
    if (path === '/a' && status === 405) assert.equal(answer.headers.allow, 'GET, HEAD')
    if (status !== 404 && path === '/a') assert.ok(answer.text.length > 5)
  }
  const program = await ask('/api/forms/none', { accept: 'application/json' })
  assert.equal(program.headers['content-type'], 'application/problem+json')
  const kept = await ask('/a', { host: 'b.example', connection: 'keep-alive' })
  assert.deepEqual([kept.status, kept.headers.connection], [421, 'keep-alive'])
  const preflight = { method: 'OPTIONS', origin: SHOP, 'access-control-request-method': 'POST' }
  const allowed = await ask('/api/forms/quote/submissions', preflight)
  assert.deepEqual([allowed.status, allowed.headers['access-control-allow-origin']], [204, SHOP])
  assert.equal((await ask('/a', { method: 'POST' })).headers.connection, 'close')
})

test('an expectation that no server meets is refused', async (t) => {
  const { ask } = await aFront(t)
  const { status, text, headers } = await ask('/a', { expect: 'tea' })
  assert.deepEqual([status, text], [417, 'The only supported expectation is 100-continue.\n'])
  assert.match(String(headers['content-security-policy']), /^default-src 'none'/)
})

test('a failed request says so', async (t) => {
  const { state, ask } = await aFront(t)
  state.visit = new Error('broken')
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const failed = await ask('/api/visits', { method: 'POST', body: 'event=view&page=/a', ...type })
  assert.equal(failed.status, 500)
  assert.equal(failed.noted.length, 1)
  assert.match(failed.headers['x-request-id'] as string, /^[0-9a-f]{12}$/)
})

test('the admin has its pages, on its host a way to the site, and clients that may not reach it have none', async (t) => {
  const asked: string[] = []
  const answerAdmin = async (request: Request) => {
    asked.push(new URL(request.url).pathname)
    return new Response('admin')
  }
  const { ask } = await aFront(t, { answerAdmin: answerAdmin as never }, { ADMIN_HOST: 'admin.example.com' })
  const host = 'admin.example.com'
  assert.equal((await ask('/admin/inbox', { host })).text, 'admin')
  assert.deepEqual(asked, ['/admin/inbox'])
  const elsewhere = await ask('/admin/inbox')
  assert.deepEqual([elsewhere.status === 200, elsewhere.noted], [false, ['forbidden']])
  const page = await ask('/a', { host })
  assert.deepEqual([page.status, page.headers.location], [302, 'https://www.example.com/a'])
  assert.equal(asked.length, 1)
})

test('texts that no release has are made on request', async (t) => {
  const { config, ask, publish } = await aFront(t, {}, { SECURITY_CONTACT: 'a@example.com', INDEXNOW: 'yes' })
  await publish()
  const security = await ask('/.well-known/security.txt?a')
  assert.equal(security.status, 200)
  assert.match(security.text, /^Contact: mailto:a@example\.com\n/)
  assert.doesNotMatch(security.text, /\n\n$/)
  assert.equal(security.headers['content-type'], 'text/plain; charset=utf-8')
  const { path, key } = indexNowFile(config) ?? { path: '', key: '' }
  assert.equal((await ask(path)).text, `${key}\n`)
  assert.equal((await ask('/other.txt')).status, 404)
  const plain = await aFront(t)
  await plain.publish()
  assert.equal((await plain.ask('/.well-known/security.txt')).status, 404)
})
