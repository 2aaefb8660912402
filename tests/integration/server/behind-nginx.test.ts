import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { findCurrentRelease, releaseAt } from '#src/publish/release/release.ts'
import { temporaryFolder } from '../../support/database.ts'
import { startFront } from '../../support/front.ts'
import { skipWithout } from '../../support/needed-tool.ts'
import { startNginx, withoutNginx } from '../../support/nginx.ts'
import { freePort, PROJECT_DIR } from '../../support/running-site.ts'

const HOST = 'www.example.com'
const OLD_STYLE = '/_astro/old.0a1b2c3d.css'

/** The lines about compression in the nginx configuration of docs/deploying.md. */
async function documentedCompression(): Promise<string> {
  const guide = await readFile(join(PROJECT_DIR, 'docs/deploying.md'), 'utf8')
  const [, configuration = ''] = /```nginx\n(.*?)```/s.exec(guide) ?? []
  const lines = configuration.match(/^ *gzip.*;$/gm) ?? []
  assert.equal(lines.length, 3, configuration)
  return lines.join('\n')
}

/** The server as https://www.example.com, behind nginx; `host` is what nginx passes on as `Host`. */
async function startBehindNginx(t: TestContext, host: string) {
  const front = await startFront(t, { environment: { SITE_URL: `https://${HOST}`, TRUSTED_PROXIES: '1' } })
  const port = await freePort()
  const location = `proxy_pass ${front.url}; proxy_set_header Host ${host};
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;`
  const http = `${await documentedCompression()} server { listen 127.0.0.1:${port}; location / { ${location} } }`
  await startNginx(t, { http, url: `http://127.0.0.1:${port}` })
  return {
    ...front,
    // fetch unpacks what is compressed.
    async get(path: string, headers: Record<string, string> = {}) {
      const sent = { host: HOST, 'accept-encoding': 'gzip', ...headers }
      const outgoing = request({ port, host: '127.0.0.1', path, headers: sent, agent: false }).end()
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      const bytes = Buffer.concat(await response.toArray())
      const isPacked = response.headers['content-encoding'] === 'gzip'
      const text = (isPacked ? gunzipSync(bytes) : bytes).toString()
      return { status: response.statusCode, headers: response.headers, isPacked, text }
    },
  }
}

test('behind a compressing nginx, pages and styles are complete and compressed once', {
  skip: withoutNginx,
}, async (t) => {
  const { app, get } = await startBehindNginx(t, '$http_host')
  const { dataDir } = app.config
  const release = findCurrentRelease(dataDir)
  assert.ok(release)
  const older = releaseAt(dataDir, '20200101T000000000Z')
  await mkdir(join(older.siteDir, '_astro'), { recursive: true })
  const style = 'main { color: teal }\n'.repeat(100)
  await writeFile(join(older.siteDir, OLD_STYLE), style)

  const page = await get('/services/ac-repair')
  assert.deepEqual([page.status, page.isPacked], [200, true])
  assert.equal(page.text, await readFile(join(release.siteDir, 'services/ac-repair.html'), 'utf8'))
  const etag = String(page.headers.etag)
  assert.match(etag, /^W\/"/, 'nginx makes the ETag weak')
  for (const sent of [etag, `"another", ${etag}`, '*']) {
    const again = await get('/services/ac-repair', { 'if-none-match': sent })
    assert.deepEqual([again.status, again.text], [304, ''], sent)
  }
  assert.equal((await get('/services/ac-repair', { 'if-none-match': 'W/"another"' })).status, 200)

  const old = await get(OLD_STYLE)
  assert.deepEqual([old.status, old.isPacked, old.text], [200, true, style])
  assert.match(String(old.headers['cache-control']), /immutable/)
  assert.equal((await get('/_astro/never.0a1b2c3d.css')).status, 404)

  for (const host of [HOST, 'WWW.Example.COM'])
    assert.deepEqual([host, (await get('/services', { host })).status], [host, 200])
  assert.equal((await get('/services', { host: 'www.example.net' })).status, 421)
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

const withoutOpenssl = skipWithout(hasOpenssl, 'openssl is not installed; .ci/run installs it')
const ANSWERS = { full_name: 'Ann', email: 'ann@example.com', phone: '+1 512 555 0100', role: 'Owner' }
const POSTS = '/api/forms/waitlist/submissions'

/** The server as https://www.example.com behind a whole nginx configuration of docs/deploying.md. */
async function startOverHttps(t: TestContext, configurationOf: (documented: string[]) => string) {
  const front = await startFront(t, { environment: { SITE_URL: `https://${HOST}`, TRUSTED_PROXIES: '1' } })
  const [port, folder] = [await freePort(), temporaryFolder(t)]
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const made = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    '-subj',
    `/CN=${HOST}`,
    ...files,
  ]
  assert.equal(spawnSync('openssl', made).status, 0)
  const guide = await readFile(join(PROJECT_DIR, 'docs/deploying.md'), 'utf8')
  const documented = [...guide.matchAll(/```nginx\n(.*?)```/gs)].map(
    ([, configuration = '']) => configuration,
  )
  const http = configurationOf(documented)
    .replace('127.0.0.1:4321', `127.0.0.1:${front.port}`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll(`/etc/letsencrypt/live/${HOST}`, folder)
    .replace('/var/lib/signpost', front.app.config.dataDir)
  // nginx answers plain HTTP there too, with 400.
  await startNginx(t, { http, url: `http://127.0.0.1:${port}` })
  return async (path: string, body?: string) => {
    const outgoing = secureRequest({
      ...{ port, host: '127.0.0.1', path, agent: false, rejectUnauthorized: false },
      method: body === undefined ? 'GET' : 'POST',
      headers: { host: HOST, 'content-type': 'application/json', 'accept-encoding': 'gzip' },
    }).end(body)
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    const bytes = Buffer.concat(await response.toArray())
    const isCompressed = response.headers['content-encoding'] === 'gzip'
    const text = (isCompressed ? gunzipSync(bytes) : bytes).toString()
    return { status: response.statusCode, headers: response.headers, text }
  }
}

test('docs/deploying.md: the full configuration serves https and accepts large posts', {
  skip: withoutNginx || withoutOpenssl,
}, async (t) => {
  const ask = await startOverHttps(t, ([behind = '']) => behind)
  const page = await ask('/services/ac-repair')
  assert.deepEqual([page.status, page.headers['content-encoding']], [200, 'gzip'])
  assert.equal((await ask(POSTS, JSON.stringify(ANSWERS))).status, 201)
  const large = await ask(POSTS, JSON.stringify({ ...ANSWERS, role: 'x'.repeat(3_000_000) }))
  assert.deepEqual([large.status, large.headers['content-type']], [413, 'application/problem+json'])
})

test('docs/deploying.md: nginx serves the release files, and the server handles everything else', {
  skip: withoutNginx || withoutOpenssl,
}, async (t) => {
  const ask = await startOverHttps(
    t,
    ([behind = '', files = '']) => `${behind.slice(0, behind.indexOf('server {'))}${files}`,
  )
  const page = await ask('/services/ac-repair/austin')
  assert.equal(page.status, 200)
  assert.equal(page.headers['content-encoding'], 'gzip')
  const [, file = ''] = /(\/_astro\/[^"]+)"/.exec(page.text) ?? []
  assert.match((await ask(file)).headers['cache-control'] ?? '', /immutable/)
  // Only the program sets it.
  assert.equal(page.headers['content-security-policy'], undefined, 'nginx reads the file itself')
  assert.equal((await ask(POSTS, JSON.stringify(ANSWERS))).status, 201)
  const signIn = await ask('/admin/login')
  assert.equal(signIn.status, 200)
  const [style = ''] = /\/_admin\/[^"]+\.css/.exec(signIn.text) ?? []
  assert.ok(style)
  assert.equal((await ask(style)).status, 200, style)
  assert.match((await ask('/nothing')).text, /This page does not exist/)
  for (const path of ['/404', '/404.html', '/500']) assert.equal((await ask(path)).status, 404, path)
  assert.deepEqual((await ask('/services/')).headers.location?.replace(/^https?:\/\/[^/]+/, ''), '/services')
})
