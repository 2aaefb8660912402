import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { movedFiles } from '#src/publish/addresses/moved-addresses.ts'
import { type Release, releaseAt, switchToRelease } from '#src/publish/release/release.ts'
import { createFailureAnswer } from '#src/server/http/failed-request.ts'
import { siteFile } from '#src/server/http/site-path.ts'
import { asFile, readStaticFile } from '#src/server/http/static-file.ts'
import { createStaticSite } from '#src/server/http/static-site.ts'
import { temporaryFolder } from '../../support/database.ts'
import { serveEndpoint } from '../../support/endpoint.ts'

const FIRST = '20261124T090000000Z'
const SECOND = '20261124T100000000Z'
const KEPT = 'public, max-age=31536000, immutable'
const REVALIDATED = 'public, max-age=0, must-revalidate'

function write(file: string, content: string | Buffer) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** Makes a release of these files live. */
async function publish(
  dataDir: string,
  files: Record<string, string>,
  { id = FIRST, moved = [] as Parameters<typeof movedFiles>[0] } = {},
): Promise<Release> {
  const release = releaseAt(dataDir, id)
  const all = new Map<string, string | Buffer>([...movedFiles(moved), ...Object.entries(files)])
  for (const [file, content] of all) write(join(release.siteDir, file), content)
  await switchToRelease(dataDir, release)
  return release
}

async function aSite(t: TestContext, options: Partial<Parameters<typeof createStaticSite>[0]> = {}) {
  const [dataDir, clientDir] = [temporaryFolder(t), temporaryFolder(t)]
  const logged: unknown[] = []
  const viewed: string[] = []
  const site = createStaticSite({
    ...{ dataDir, clientDir, releaseCheckMs: 0 },
    onPage: (_, path) => viewed.push(path),
    log: { error: (_: object, message: string) => logged.push(message) },
    ...options,
  })
  const url = await serveEndpoint(t, site.serve)
  /** Asks for this path exactly. */
  async function ask(path: string, { method = 'GET', ...headers }: Record<string, string> = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    httpRequest(url, { path, method, headers, agent: false }, resolve).on('error', reject).end()
    const answer = await promise
    const text = (await answer.toArray()).join('')
    return { status: answer.statusCode, headers: answer.headers, text }
  }
  return { dataDir, clientDir, site, logged, viewed, ask }
}

test('a page has one address, and others lead there', async (t) => {
  const { dataDir, viewed, ask } = await aSite(t)
  await publish(dataDir, { 'index.html': 'Home', 'a.html': 'A', 'a/b.html': 'B', 'feed.xml': 'Feed' })
  for (const [path, text] of [
    ['/', 'Home'],
    ['/?q', 'Home'],
    ['/a', 'A'],
    ['/a/b?q=1', 'B'],
    ['/feed.xml', 'Feed'],
  ] as const) {
    const answer = await ask(path)
    assert.deepEqual([answer.status, answer.text], [200, text], path)
    assert.equal(answer.headers['cache-control'], REVALIDATED)
    assert.equal(answer.headers['server-timing'], path === '/feed.xml' ? undefined : 'counted', path)
  }
  assert.deepEqual(viewed.splice(0), ['/', '/', '/a', '/a/b'])
  for (const [path, to] of [
    ['/a/?q=1', '/a?q=1'],
    ['/a//', '/a'],
    ['/a.html', '/a'],
    ['/a/b.html/?', '/a/b?'],
    ['/index', '/'],
    ['/index.html?q', '/?q'],
    ['//', '/'],
  ] as const) {
    const { status, headers } = await ask(path)
    assert.deepEqual([status, headers.location, headers['cache-control']], [301, to, REVALIDATED], path)
  }
  const exact = { '.well-known/a.html': 'Proof', '.well-known/b': 'Data', 'plan.v2.html': 'Plan' }
  const named = { 'café.html': 'Café', 'plan [1].pdf': 'Plan', ...exact }
  await publish(dataDir, named, { id: SECOND })
  for (const path of ['/caf%C3%A9/', '/caf%C3%A9.html'])
    assert.equal((await ask(path)).headers.location, '/caf%C3%A9', path)
  for (const [file, text] of Object.entries(exact)) assert.equal((await ask(`/${file}`)).text, text, file)
  viewed.length = 0
  assert.equal((await ask('/plan%20[1].pdf')).headers.location, '/plan%20%5B1%5D.pdf')
  assert.equal((await ask('/plan%20%5B1%5D.pdf')).text, 'Plan')
  for (const path of ['/a/../a', '/.a', '/%61', '//a', '/a.b.html', '/a.htmlx', '/missing', '/caf%c3%a9'])
    assert.deepEqual([(await ask(path)).status, viewed], [404, []], path)
})

test('a browser that has a file gets no second copy', async (t) => {
  const { dataDir, ask } = await aSite(t)
  await publish(dataDir, { 'a.html': 'A', 'b.html': '<iframe name="map">' })
  const { headers } = await ask('/a')
  const etag = headers.etag ?? ''
  assert.match(etag, /^"[\w-]{22}"$/)
  for (const [sent, status] of [
    [etag, 304],
    [`W/${etag}`, 304],
    [`"other" , ${etag}`, 304],
    ['*', 304],
    ['"other"', 200],
    [etag.slice(1, -1), 200],
  ] as const) {
    const answer = await ask('/a', { 'if-none-match': sent })
    assert.equal(answer.status, status, sent)
    assert.equal(answer.text, status === 304 ? '' : 'A')
    assert.deepEqual([answer.headers.etag, answer.headers['cache-control']], [etag, REVALIDATED])
  }
  const head = await ask('/a', { method: 'HEAD' })
  assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', '1'])
  const policy = (await ask('/b')).headers['content-security-policy']
  assert.match(String(policy), /frame-src https:/)
  assert.equal((await ask('/b', { 'if-none-match': '*' })).headers['content-security-policy'], policy)
})

test('a moved page redirects, and others say that they are gone or never were', async (t) => {
  const { dataDir, ask } = await aSite(t)
  const moved = [
    { path: '/former', to: '/a' },
    { path: '/former.html', to: '/b' },
    { path: '/gone', to: null },
  ]
  await publish(
    dataDir,
    { 'a.html': 'A', '404.html': 'Not here', '410.html': '<iframe name="map">' },
    { moved },
  )
  for (const [path, to] of [
    ['/former?q=1', '/a?q=1'],
    ['/Former/', '/a'],
    ['/former.html', '/b'],
  ] as const) {
    const { status, headers } = await ask(path)
    assert.deepEqual([status, headers.location, headers['cache-control']], [301, to, REVALIDATED], path)
  }
  for (const [path, status, text] of [
    ['/gone', 410, '<iframe name="map">'],
    ['/gone.html/', 410, '<iframe name="map">'],
    ['/never', 404, 'Not here'],
    ['/404', 404, 'Not here'],
    ['/410.html', 404, 'Not here'],
  ] as const) {
    const answer = await ask(path)
    assert.deepEqual(
      [answer.status, answer.text, answer.headers['cache-control']],
      [status, text, 'no-store'],
      path,
    )
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(/frame-src/.test(String(answer.headers['content-security-policy'])), status === 410)
  }
  await publish(
    dataDir,
    { 'a.html': 'A' },
    {
      id: SECOND,
      moved: [
        { path: '/a2', to: '/a' },
        { path: '/x', to: null },
      ],
    },
  )
  assert.equal((await ask('/a2')).headers.location, '/a')
  const plain = await Promise.all(['/x', '/former'].map((path) => ask(path)))
  assert.deepEqual(
    plain.map(({ status, text, headers }) => [status, text, headers['content-type']]),
    [
      [410, 'Gone\n', 'text/plain; charset=utf-8'],
      [404, 'Not found\n', 'text/plain; charset=utf-8'],
    ],
  )
})

test('assets are found in older releases and the bundle, and made when nobody has them', async (t) => {
  const made: string[] = []
  const { dataDir, clientDir, ask } = await aSite(t, {
    makeAsset: async (path) => {
      made.push(path)
      return path === '/_astro/made.css' ? Buffer.from('made') : undefined
    },
  })
  write(join(clientDir, '_admin/admin.css'), 'admin')
  write(join(clientDir, '_astro/bundled.css'), 'bundled')
  write(join(clientDir, 'other.css'), 'other')
  const waiting = await ask('/')
  assert.deepEqual([waiting.status, waiting.headers.refresh, waiting.headers['retry-after']], [503, '2', '2'])
  assert.match(String(waiting.headers['content-security-policy']), /^default-src 'none'/)
  assert.equal((await ask('/_admin/admin.css')).text, 'admin', 'before the first publish')
  await publish(dataDir, { '_astro/old.css': 'first', '_astro/both.css': 'first', 'a.html': 'A' })
  await publish(dataDir, { '_astro/both.css': 'second' }, { id: SECOND })
  for (const [path, text] of [
    ['/_astro/both.css', 'second'],
    ['/_astro/old.css', 'first'],
    ['/_astro/bundled.css', 'bundled'],
    ['/_astro/made.css', 'made'],
    ['/_admin/admin.css', 'admin'],
  ] as const) {
    const answer = await ask(path)
    assert.deepEqual([answer.status, answer.text], [200, text], path)
    assert.equal(answer.headers['cache-control'], KEPT)
    assert.equal(answer.headers['content-type'], 'text/css; charset=utf-8')
  }
  assert.deepEqual(made, ['/_astro/made.css'])
  for (const path of ['/_astro/none.css', '/other.css', '/a', '/_admin/none.css', '/_astro/../other.css'])
    assert.equal((await ask(path)).status, 404, path)
})

test('a visitor who is ahead of this server waits for the release', async (t) => {
  let dataDir = ''
  let settled = 0
  const settle = async () => {
    settled += 1
    if (settled === 2) await publish(dataDir, { 'new.html': 'New' }, { id: SECOND })
  }
  const { ask, ...site } = await aSite(t, { settle, releaseCheckMs: 60_000 })
  dataDir = site.dataDir
  await publish(dataDir, { 'a.html': 'A' })
  assert.equal((await ask('/a')).status, 200)
  assert.equal(settled, 0)
  assert.equal((await ask('/new')).status, 404)
  assert.equal((await ask('/new')).text, 'New')
  assert.equal(settled, 2)
})

test('a release is noticed after a moment, and stays when its link can’t be read', async (t) => {
  const { dataDir, site, logged, ask } = await aSite(t)
  assert.equal(site.currentReleaseId(), undefined)
  assert.equal(await site.findErrorPage(), undefined)
  await publish(dataDir, { 'a.html': 'A', '500.html': 'Sorry' })
  assert.equal(site.currentReleaseId(), FIRST)
  assert.equal(String(await site.findErrorPage()), 'Sorry')
  const link = join(dataDir, 'current')
  renameSync(link, join(dataDir, 'elsewhere'))
  writeFileSync(link, '')
  for (let time = 0; time < 2; time += 1) assert.equal((await ask('/a')).text, 'A')
  assert.equal(logged.length, 1)
  rmSync(link)
  assert.equal((await ask('/a')).status, 503)
  writeFileSync(link, '')
  await ask('/a')
  assert.equal(logged.length, 2, 'a problem that came back')
  const slow = await aSite(t, { releaseCheckMs: 60_000 })
  assert.equal(slow.site.currentReleaseId(), undefined)
  await publish(slow.dataDir, {})
  assert.equal(slow.site.currentReleaseId(), undefined)
})

test('what `astro build` made is served in place of a release', async (t) => {
  const folder = temporaryFolder(t)
  const built = { id: 'built', dir: folder, siteDir: join(folder, 'site') }
  write(join(built.siteDir, 'a.html'), 'Built')
  const { dataDir, site, ask } = await aSite(t, { release: built })
  await publish(dataDir, { 'a.html': 'Published' })
  assert.equal(site.currentReleaseId(), 'built')
  assert.equal((await ask('/a')).text, 'Built')
})

test('only addresses of a site name its files', () => {
  for (const [path, file] of [
    ['/', 'index.html'],
    ['/a/b', 'a/b.html'],
    ['/feed.xml', 'feed.xml'],
    ['/.env', undefined],
    ['/../a', undefined],
    ['/a//b', undefined],
    ['a', undefined],
    ['/a b', undefined],
    ['/a/', undefined],
    ['/@a', '@a.html'],
  ] as const)
    assert.equal(siteFile(path), file, path)
})

test('a page’s policy allows its map and tags', async (t) => {
  const page = (html: string) => asFile('a.html', Buffer.from(html))?.policy['content-security-policy']
  assert.equal(page('<p>'), undefined)
  assert.equal(
    asFile('a.txt', Buffer.from('<iframe name="map"'))?.policy['content-security-policy'],
    undefined,
  )
  assert.equal(asFile('a.html', undefined), undefined)
  assert.match(
    page('<iframe name="map"') ?? '',
    /; frame-src https:\/\/www\.openstreetmap\.org https:\/\/www\.google\.com .*; report-to csp$/,
  )
  const tagged = page('<meta name="tag-policy" content="script-src https://b.example">') ?? ''
  assert.match(tagged, /script-src 'self' https:\/\/b\.example/)
  assert.doesNotMatch(tagged, /frame-src/)
  assert.equal(page('<meta name="tag-policy">'), undefined)
  assert.deepEqual(
    [asFile('a.html', Buffer.from(''))?.isPage, asFile('a.css', Buffer.from(''))?.isPage],
    [true, false],
  )
  const folder = temporaryFolder(t)
  write(join(folder, 'a'), '')
  for (const path of [folder, join(folder, 'none'), join(folder, 'a/b'), join(folder, 'x'.repeat(300))])
    assert.equal(await readStaticFile(path), undefined, path)
  await assert.rejects(readStaticFile('a\0'))
})

test('a failed request gets the page that says so, or a text', async () => {
  const logged: object[] = []
  const log = { error: (fields: object) => logged.push(fields) }
  let page: Buffer | undefined = Buffer.from('<main>Sorry</main>')
  const findErrorPage = async () => {
    if (page === undefined) throw new Error('unreadable')
    return page
  }
  const answer = createFailureAnswer(log, { findErrorPage } as Parameters<typeof createFailureAnswer>[1])
  const ask = (accept: string | undefined, error = new Error('broken')) =>
    answer({ method: 'GET', url: '/a?b', headers: { accept } } as IncomingMessage, error)
  const shown = await ask('text/html,*/*')
  const { 'x-request-id': reference = '' } = shown.headers
  assert.match(reference, /^[0-9a-f]{12}$/)
  assert.deepEqual(logged[0], { err: new Error('broken'), requestId: reference, method: 'GET', path: '/a' })
  assert.equal(shown.status, 500)
  assert.match(
    String(shown.body),
    /^<main>Sorry<p class="shell mt-6">.* <code>[0-9a-f]{12}<\/code><\/p><\/main>$/,
  )
  assert.ok(String(shown.body).includes(reference))
  for (const accept of [undefined, 'application/json']) {
    const text = await ask(accept)
    assert.equal(text.headers['content-type'], 'text/plain; charset=utf-8')
    assert.ok(String(text.body).includes(text.headers['x-request-id'] ?? '-'))
  }
  page = undefined
  assert.match(String((await ask('text/html')).body), /^Something went wrong/)
  const busy = Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' })
  const away = await ask('text/html', busy)
  assert.deepEqual([away.status, away.headers['retry-after']], [503, '5'])
  assert.match(String(away.body), /^The database is unavailable.*Reference: [0-9a-f]{12}\n$/s)
})
