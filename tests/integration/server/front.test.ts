import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  cp,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { findCurrentRelease, releaseAt, switchToRelease } from '#src/publish/release/release.ts'
import { startFront } from '../../support/front.ts'
import { waitFor } from '../../support/running-site.ts'

interface RawRequest {
  method?: string
  path: string
  headers?: Record<string, string>
}

const ALWAYS: Record<string, RegExp> = {
  'content-security-policy': /^(?!.*unsafe)default-src 'none'; .*frame-ancestors '(none|self)'/,
  'x-content-type-options': /^nosniff$/,
  'referrer-policy': /^(strict-origin-when-cross-origin|same-origin)$/,
  'permissions-policy': /^camera=\(\), geolocation=\(\), microphone=\(\)$/,
}

function checkHeaders(headers: IncomingMessage['headers']) {
  for (const [name, value] of Object.entries(ALWAYS)) assert.match(String(headers[name]), value, name)
}

/** All that is answered to these bytes until the server closes. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

// fetch tidies up addresses and hosts; these tests send what a browser never would.
async function send(port: number, { method = 'GET', path, headers = {} }: RawRequest) {
  const outgoing = request({ port, host: '127.0.0.1', method, path, headers, agent: false }).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() }
}

test('the front server responds as the contract says', async (t) => {
  const { port, url, app } = await startFront(t)

  const table: [string, RawRequest, number, RegExp?][] = [
    ['the home page', { path: '/' }, 200, /<h1/],
    ['a service', { path: '/services/ac-repair' }, 200, /AC repair/],
    ['a location service', { path: '/services/ac-repair/austin' }, 200, /AC repair in Austin/],
    ['a query changes nothing', { path: '/services?utm_source=x' }, 200],
    ['robots.txt', { path: '/robots.txt' }, 200, /Sitemap: /],
    ['the sitemap index', { path: '/sitemap-index.xml' }, 200, /sitemap-0\.xml/],
    ['llms.txt', { path: '/llms.txt' }, 200, /AC repair/],
    ['an address that does not exist', { path: '/nothing/here' }, 404, /This page does not exist/],
    ['a path that leaves the folder', { path: '/../pages.tsv' }, 404],
    ['an encoded path that leaves the folder', { path: '/..%2fpages.tsv' }, 404],
    ['a NUL in the path', { path: '/index%00.html' }, 400],
    ['one that is escaped twice', { path: '/admin/forms/x%252500' }, 400],
    ['one whose digits are escaped', { path: '/admin/forms/x%25%30%30' }, 400],
    ['a NUL in the query', { path: '/admin/inbox?q=%00' }, 400],
    ['the text %00 in the query', { path: '/services?q=50%2500' }, 200],
    ['§1.7 a taxonomy archive nobody opted in to', { path: '/taxonomy/locations/texas' }, 404],
    ['the other addresses of this machine', { path: '/', headers: { host: `[::1]:${port}` } }, 200],
    ['a host in another case', { path: '/', headers: { host: `LocalHost:${port}` } }, 200],
    ['another port of it', { path: '/', headers: { host: '[::1]:1' } }, 421],
    ['another host', { path: '/', headers: { host: 'evil.example' } }, 421],
    ['a host with a path in it', { path: '/zzz', headers: { host: 'x/admin?' } }, 421],
    ['an unknown method', { method: 'DELETE', path: '/' }, 405],
    ['a post to a page', { method: 'POST', path: '/services' }, 405],
    ['a target that is no path', { path: 'http://127.0.0.1/' }, 400],
    ['an address of 2,048 characters', { path: `/${'a'.repeat(2_047)}` }, 404],
    ['a longer one', { path: `/${'a'.repeat(2_048)}` }, 414],
    ['a form', { path: '/api/forms/waitlist' }, 200],
    ['a form that is not there', { path: '/api/forms/nothing' }, 404],
    ['an asset that is not there', { path: '/_astro/nothing.css' }, 404],
    ['the admin', { path: '/admin' }, 303],
    ['health', { path: '/health' }, 200],
    ['health with a query, as monitors add one', { path: '/health?at=1' }, 200, /"status":"ok"/],
    ['an expectation that nobody knows', { path: '/', headers: { expect: 'x' } }, 417],
  ]
  for (const [name, wanted, status, text] of table) {
    await t.test(name, async () => {
      const answer = await send(port, wanted)
      assert.equal(answer.status, status)
      if (text) assert.match(answer.body, text)
      checkHeaders(answer.headers)
      // RFC 9110 §15.5.6
      assert.equal(/GET/.test(answer.headers.allow ?? ''), status === 405)
    })
  }

  await t.test('§4 a trailing slash and .html redirect permanently to the canonical address', async () => {
    for (const [path, location] of [
      ['/services/', '/services'],
      ['/services/ac-repair.html', '/services/ac-repair'],
      ['/index.html', '/'],
      ['/services/?a=1', '/services?a=1'],
    ] as const) {
      const answer = await send(port, { path })
      assert.deepEqual([answer.status, answer.headers.location], [301, location], path)
    }
    // Nothing there: no redirect to another website, no redirect to a 404.
    assert.equal((await send(port, { path: '//evil.example/' })).status, 404)
    assert.equal((await send(port, { path: '/nothing/' })).status, 404)
  })

  const host = `Host: 127.0.0.1:${port}\r\n`
  for (const [name, text, status] of [
    ['two Host headers', `GET / HTTP/1.1\r\n${host}Host: evil.example\r\nConnection: close\r\n\r\n`, 400],
    ['no Host header', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['what is no request', 'nonsense\r\n\r\n', 400],
    ['17 KB of headers', `GET / HTTP/1.1\r\n${host}X-A: ${'a'.repeat(17 * 1024)}\r\n\r\n`, 431],
    [
      'a chunk with too much beside it',
      `POST /api/forms/waitlist/submissions HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(17 * 1024)}`,
      413,
    ],
  ] as const) {
    await t.test(`${name}: ${status}, with the headers of every response`, async () => {
      const answer = await exchange(port, text)
      const [line, ...lines] = answer.split('\r\n\r\n', 1)[0]?.split('\r\n') ?? []
      assert.match(String(line), new RegExp(`^HTTP/1\\.1 ${status} `))
      checkHeaders(Object.fromEntries(lines.map((one) => one.toLowerCase().split(': '))))
    })
  }

  await t.test(
    'two requests in one piece are answered in their order, each with its own checks',
    async () => {
      const requests = [
        `GET /robots.txt HTTP/1.1\r\n${host}`,
        'GET /llms.txt HTTP/1.1\r\nHost: evil.example\r\n',
      ]
      const answer = await exchange(port, `${requests.join('\r\n')}Connection: close\r\n\r\n`)
      assert.deepEqual(answer.match(/^HTTP\/1\.1 \d+/gm), ['HTTP/1.1 200', 'HTTP/1.1 421'])
      assert.match(answer, /Sitemap: .*does not serve the host/s)
    },
  )

  await t.test('an unchanged page is answered with 304, and HEAD without a body', async () => {
    const { headers } = await send(port, { path: '/services' })
    const etag = String(headers.etag)
    for (const [sent, status] of [
      [etag, 304],
      [`W/${etag}`, 304],
      [`"another", ${etag}`, 304],
      [`W/"another",W/${etag}`, 304],
      ['*', 304],
      ['"another"', 200],
      ['W/"another"', 200],
    ] as const) {
      const again = await send(port, { path: '/services', headers: { 'if-none-match': sent } })
      assert.deepEqual([again.status, again.body === ''], [status, status === 304], sent)
    }
    const head = await send(port, { method: 'HEAD', path: '/services' })
    assert.deepEqual(
      [head.status, head.body, head.headers['content-length']],
      [200, '', headers['content-length']],
    )
  })

  await t.test('styles are immutable, and found in older releases after a switch', async () => {
    const current = findCurrentRelease(app.config.dataDir)
    assert.ok(current)
    const [style] = (await readdir(join(current.siteDir, '_astro'))).filter((name) => name.endsWith('.css'))
    const answer = await send(port, { path: `/_astro/${style}` })
    assert.match(String(answer.headers['cache-control']), /immutable/)
    const next = releaseAt(app.config.dataDir, '20991231T000000000Z')
    await cp(current.dir, next.dir, { recursive: true, filter: (path) => !path.endsWith('.css') })
    await switchToRelease(app.config.dataDir, next)
    await waitFor(async () => (await (await fetch(`${url}/health`)).json()).release === next.id)
    assert.equal((await send(port, { path: `/_astro/${style}` })).status, 200)
    // The program's own styles are also in its bundle; those of the version before are in an older release only.
    await writeFile(join(current.siteDir, '_astro/old.0a1b2c3d.css'), 'main {}')
    assert.equal((await send(port, { path: '/_astro/old.0a1b2c3d.css' })).body, 'main {}')
    assert.equal((await send(port, { path: '/old.0a1b2c3d.css' })).status, 404)
  })

  await t.test('a refused post ends its connection at once: its body is not received', async () => {
    for (const [line, header, status] of [
      ['POST /services', host, 405],
      ['POST /api/forms/waitlist/submissions', 'Host: evil.example\r\n', 421],
      ['POST /api/forms/waitlist/submissions', `${host}Origin: https://evil.example\r\n`, 403],
    ] as const) {
      const answer = await exchange(port, `${line} HTTP/1.1\r\n${header}Content-Length: 1000000\r\n\r\n`)
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} .*\r\nconnection: close\r\n`, 'is'))
      assert.equal(answer.match(/^HTTP/gm)?.length, 1, answer)
    }
  })

  await t.test('/health names the release and the schema', async () => {
    const answer = await send(port, { path: '/health' })
    const body = JSON.parse(answer.body)
    assert.equal(answer.status, 200)
    assert.equal(body.status, 'ok')
    assert.match(body.schema, /^\d{4}_/)
    assert.equal(body.release, findCurrentRelease(app.config.dataDir)?.id)
  })

  await t.test('/health is 503 when the tables cannot be read, or their file is gone', async () => {
    const status = async () => (await send(port, { path: '/health' })).status
    await sql`alter table form_submissions rename to elsewhere`.execute(app.db)
    assert.equal(await status(), 503)
    await sql`alter table elsewhere rename to form_submissions`.execute(app.db)
    assert.equal(await status(), 200)
    const file = app.config.databaseUrl.slice('file:'.length)
    await rename(file, `${file}.away`)
    assert.equal(await status(), 503)
    await rename(`${file}.away`, file)
  })

  await t.test('every page of the release is served with its bytes on disk', async () => {
    const release = findCurrentRelease(app.config.dataDir)
    assert.ok(release)
    const html = await readFile(join(release.siteDir, 'services/ac-repair.html'), 'utf8')
    assert.equal((await send(port, { path: '/services/ac-repair' })).body, html)
  })

  await t.test('a folder in place of the release symlink doesn’t take the site down', async () => {
    const link = join(app.config.dataDir, 'current')
    const target = await readlink(link)
    await rm(link)
    await mkdir(link)
    const endsAt = performance.now() + 400
    const statuses = new Set<number | undefined>()
    while (performance.now() < endsAt) {
      for (const path of ['/services/ac-repair', '/health']) statuses.add((await send(port, { path })).status)
    }
    await rmdir(link)
    await symlink(target, link)
    assert.deepEqual([...statuses], [200])
  })

  await t.test('/health is 503 without a release', async () => {
    await rm(join(app.config.dataDir, 'current'))
    await waitFor(async () => (await fetch(`${url}/health`)).status === 503)
  })
})
