import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cp, readdir, readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { findCurrentRelease, releaseAt, switchToRelease } from '../../../src/publish/release.ts'
import { startFront } from '../../support/front.ts'
import { waitFor } from '../../support/running-site.ts'

interface RawRequest {
  method?: string
  path: string
  headers?: Record<string, string>
}

// fetch tidies up addresses and hosts; these tests send what a browser never would.
async function send(port: number, { method = 'GET', path, headers = {} }: RawRequest) {
  const outgoing = request({ port, host: '127.0.0.1', method, path, headers, agent: false }).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() }
}

test('the front answers as the contract says', async (t) => {
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
    ['a NUL in the path', { path: '/index%00.html' }, 404],
    ['§1.7 a taxonomy archive nobody opted in to', { path: '/taxonomy/locations/texas' }, 404],
    ['the other addresses of this machine', { path: '/', headers: { host: `[::1]:${port}` } }, 200],
    ['another port of it', { path: '/', headers: { host: '[::1]:1' } }, 421],
    ['another host', { path: '/', headers: { host: 'evil.example' } }, 421],
    ['a host with a path in it', { path: '/zzz', headers: { host: 'x/admin?' } }, 421],
    ['an unknown method', { method: 'DELETE', path: '/' }, 405],
    ['a post to a page', { method: 'POST', path: '/services' }, 405],
    ['a target that is no path', { path: 'http://127.0.0.1/' }, 400],
    ['a very long address', { path: `/${'a'.repeat(3_000)}` }, 414],
  ]
  for (const [name, wanted, status, text] of table) {
    await t.test(name, async () => {
      const answer = await send(port, wanted)
      assert.equal(answer.status, status)
      if (text) assert.match(answer.body, text)
      assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/)
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    })
  }

  await t.test('§4 a trailing slash and .html lead to the address without, for good', async () => {
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

  await t.test('two Host headers are refused', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    )
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 4\d\d/)
  })

  await t.test('an unchanged page is answered with 304, and HEAD without a body', async () => {
    const { headers } = await send(port, { path: '/services' })
    const again = await send(port, { path: '/services', headers: { 'if-none-match': String(headers.etag) } })
    assert.deepEqual([again.status, again.body], [304, ''])
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
  })

  await t.test('/health names the release and the schema', async () => {
    const answer = await send(port, { path: '/health' })
    const body = JSON.parse(answer.body)
    assert.equal(answer.status, 200)
    assert.equal(body.status, 'ok')
    assert.match(body.schema, /^\d{4}_/)
    assert.equal(body.release, findCurrentRelease(app.config.dataDir)?.id)
  })

  await t.test('every page of the release is served as it is on disk', async () => {
    const release = findCurrentRelease(app.config.dataDir)
    assert.ok(release)
    const html = await readFile(join(release.siteDir, 'services/ac-repair.html'), 'utf8')
    assert.equal((await send(port, { path: '/services/ac-repair' })).body, html)
  })
})
