import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { savePublishedAddresses } from '#src/publish/addresses/published-address-store.ts'
import { listFiles, saveFiles } from '#src/publish/ledger/file-store.ts'
import { ledgerFile, openLedger } from '#src/publish/ledger/ledger-store.ts'
import { findCurrentRelease, type Release } from '#src/publish/release/release.ts'
import { copyRelease } from '#src/publish/static-host/static-copy.ts'
import { readState, writeState } from '#src/publish/static-host/static-copy-state.ts'
import { securityHeaders } from '#src/server/http/security-headers.ts'
import { shortHash } from '#src/site/content/fingerprint.ts'
import { temporaryFolder } from '../../support/database.ts'
import { goLive } from '../../support/live-release.ts'
import { startNginx, withoutNginx } from '../../support/nginx.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { freePort, PROJECT_DIR } from '../../support/running-site.ts'
import { addEntry } from '../../support/small-site.ts'

const SITE_URL = 'https://example.com'

async function aCopy(t: TestContext) {
  const site = await aPublishedSite(t)
  const outDir = join(temporaryFolder(t), 'public')
  const copy = async (texts?: Map<string, string>) => {
    await site.publish()
    const release = findCurrentRelease(site.dataDir)
    assert.ok(release)
    const headers = securityHeaders({ siteUrl: SITE_URL })
    return copyRelease(release, {
      dataDir: site.dataDir,
      outDir,
      siteUrl: SITE_URL,
      headers,
      ...(texts && { texts }),
    })
  }
  const copied = async () => filesOf(join(outDir, 'site'))
  const released = async () => filesOf(findCurrentRelease(site.dataDir)?.siteDir ?? '')
  return { ...site, outDir, copy, copied, released }
}

async function filesOf(folder: string): Promise<[string, string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files
      .sort()
      .map(
        async (file): Promise<[string, string]> => [
          file.slice(folder.length + 1),
          await readFile(file, 'latin1'),
        ],
      ),
  )
}

test('a static copy contains security.txt if a contact is set', async (t) => {
  const { copy, outDir } = await aCopy(t)
  const file = '.well-known/security.txt'
  const first = await copy(new Map([[file, 'Contact: mailto:a@example.com\n']]))
  assert.ok(first.added.includes(`/${file}`))
  assert.equal(await readFile(join(outDir, 'site', file), 'utf8'), 'Contact: mailto:a@example.com\n')
  assert.deepEqual((await copy(new Map([[file, 'Contact: mailto:b@example.com\n']]))).changed, [`/${file}`])
  assert.deepEqual((await copy()).removed, [`/${file}`])
  assert.equal(existsSync(join(outDir, 'site', file)), false)
})

test('an HTML file of public has the address of a page, as browsers write it', async (t) => {
  const { copy } = await aCopy(t)
  await copy()
  const files = (text: string) => new Map([['files/café plan.html', text]])
  const addresses = ['/files/caf%C3%A9%20plan']
  assert.deepEqual((await copy(files('1'))).added, addresses)
  assert.deepEqual((await copy(files('2'))).changed, addresses)
  assert.deepEqual((await copy()).removed, addresses)
})

test('a static copy contains the release and the host’s headers', async (t) => {
  const { copy, copied, released, outDir } = await aCopy(t)
  const changes = await copy()
  const files = await copied()
  assert.deepEqual(
    files.filter(([file]) => file !== '_headers'),
    await released(),
  )
  const headers = await readFile(join(outDir, 'site/_headers'), 'utf8')
  assert.match(headers, /^\/\*\n {2}content-security-policy: default-src 'none'/)
  assert.match(headers, /\/_astro\/\*\n {2}cache-control: public, max-age=31536000, immutable\n$/)
  assert.equal(changes.previous_release, null)
  for (const address of ['/', '/services/ac-repair/austin', '/sitemap-index.xml', '/robots.txt'])
    assert.ok(changes.added.includes(address), address)
  assert.deepEqual([changes.changed, changes.removed], [[], []])
})

test('a second copy writes only differences and lists the addresses to purge', async (t) => {
  const { db, copy, copied, released, setTitle, outDir } = await aCopy(t)
  const first = await copy()
  const untouched = join(outDir, 'site/services/ac-repair/austin.html')
  await utimes(untouched, 1, 1)
  await setTitle('Cooling for Dallas')
  await db.updateTable('taxonomy_terms').set({ slug: 'dallas-tx' }).where('slug', '=', 'dallas').execute()
  const changes = await copy()
  assert.equal(changes.previous_release, first.release)
  assert.deepEqual(changes.added, ['/services/ac-repair/dallas-tx'])
  assert.deepEqual(changes.removed, ['/services/ac-repair/dallas'])
  assert.ok(changes.changed.includes('/services/ac-repair'))
  assert.ok(!changes.changed.some((address) => address.startsWith('/_')))
  assert.deepEqual(
    (await copied()).filter(([file]) => file !== '_headers'),
    await released(),
  )
  const redirect = '/services/ac-repair/dallas /services/ac-repair/dallas-tx'
  assert.equal(await readFile(join(outDir, 'redirects.map'), 'utf8'), `${redirect};\n`)
  assert.equal(await readFile(join(outDir, 'site/_redirects'), 'utf8'), `${redirect} 301\n`)
  assert.deepEqual(JSON.parse(await readFile(join(outDir, 'changes.json'), 'utf8')), changes)
})

test('an unchanged copy writes nothing and purges nothing', async (t) => {
  const { copy, outDir } = await aCopy(t)
  await copy()
  const page = join(outDir, 'site/index.html')
  await utimes(page, 1, 1)
  const { added, changed, removed } = await copy()
  assert.deepEqual([added, changed, removed], [[], [], []])
  assert.equal((await stat(page)).mtimeMs, 1_000)
})

test('empty folders are removed', async (t) => {
  const { db, copy, outDir } = await aCopy(t)
  await copy()
  await db.deleteFrom('content_entries').where('slug', 'like', 'ac-repair/%').execute()
  await copy()
  assert.equal(existsSync(join(outDir, 'site/services/ac-repair')), false)
  assert.equal(existsSync(join(outDir, 'site/services/ac-repair.html')), true)
})

test('the next copy completes an interrupted one and lists its addresses again', async (t) => {
  const { copy, copied, released, outDir } = await aCopy(t)
  await copy()
  const state = join(outDir, 'files.tsv')
  const text = await readFile(state, 'utf8')
  await writeFile(state, text.replace(/^services\/ac-repair\.html\t.*$/m, 'services/ac-repair.html\t?'))
  await rm(join(outDir, 'site/services/ac-repair.html'))
  assert.deepEqual((await copy()).changed, ['/services/ac-repair'])
  assert.deepEqual(
    (await copied()).filter(([file]) => file !== '_headers'),
    await released(),
  )
})

test('a folder with foreign files, or a file, is refused and left alone', async (t) => {
  const { copy, outDir } = await aCopy(t)
  await copy()
  await rm(join(outDir, 'files.tsv'))
  await assert.rejects(copy(), /contains other files. Choose an empty folder/)
  await rm(outDir, { recursive: true })
  await writeFile(outDir, 'a file')
  await assert.rejects(copy(), /is not a folder/)
  assert.equal(await readFile(outDir, 'utf8'), 'a file')
})

/** A live release with these files, by path below `site`; the pages are those that end in `.html`. */
async function aRelease(t: TestContext) {
  const dataDir = temporaryFolder(t)
  const outDir = join(temporaryFolder(t), 'public')
  async function make(id: string, files: Record<string, string>) {
    const names = Object.keys(files)
    const pages = names.filter((name) => name.endsWith('.html'))
    const release = await goLive(dataDir, {
      id,
      pages: pages.map((name) => ({ path: addressOf(name), bytesHash: shortHash(files[name] ?? '') })),
    })
    const ledger = openLedger(ledgerFile(dataDir))
    const others = names.filter((name) => !pages.includes(name))
    saveFiles(ledger, {
      removed: listFiles(ledger).flatMap(({ file }) => (others.includes(file) ? [] : file)),
      written: others.map((file) => ({ file, hash: shortHash(files[file] ?? ''), size: 1 })),
    })
    ledger.close()
    for (const [name, text] of Object.entries({ ...files, '../redirects.map': id, '../gone.map': '' })) {
      await mkdir(dirname(join(release.siteDir, name)), { recursive: true })
      await writeFile(join(release.siteDir, name), text)
    }
    return release
  }
  const copy = (release: Release, texts?: Map<string, string>) =>
    copyRelease(release, {
      ...{ dataDir, outDir, siteUrl: SITE_URL, headers: [['x-a', 'b'] as const] },
      ...(texts && { texts }),
    })
  const read = (name: string) => readFile(join(outDir, name), 'utf8')
  const copied = async () =>
    (await readdir(outDir, { recursive: true, withFileTypes: true }))
      .map((entry) => join(entry.parentPath, entry.name).slice(outDir.length + 1))
      .sort()
  return { make, copy, read, copied }
}

const addressOf = (name: string) => `/${name === 'index.html' ? '' : name.replace(/\.html$/, '')}`

test('a copy has the pages and files that the ledger lists, and its changes are listed by address', async (t) => {
  const { make, copy, read, copied } = await aRelease(t)
  const first = await make('20261120T100000000Z', {
    ...{ 'index.html': 'home', 'services/ac/austin.html': 'austin', 'about.html': 'about' },
    ...{ _redirects: 'none', '_astro/a.css': 'a', 'og/deep/a.png': 'png', '../notes.map': '' },
  })
  const changes = await copy(first)
  assert.deepEqual(changes, {
    ...{ site_url: SITE_URL, release: first.id, previous_release: null },
    added: ['/', '/_astro/a.css', '/about', '/og/deep/a.png', '/services/ac/austin'],
    ...{ changed: [], removed: [] },
  })
  assert.deepEqual(JSON.parse(await read('changes.json')), changes)
  assert.deepEqual(await copied(), [
    ...['changes.json', 'files.tsv', 'gone.map', 'redirects.map', 'site', 'site/_astro', 'site/_astro/a.css'],
    ...['site/_headers', 'site/_redirects', 'site/about.html', 'site/index.html', 'site/og', 'site/og/deep'],
    ...['site/og/deep/a.png', 'site/services', 'site/services/ac', 'site/services/ac/austin.html'],
  ])
  assert.match(await read('site/_headers'), /^\/\*\n {2}x-a: b\n\/_astro\/\*\n/)
  assert.equal(await read('redirects.map'), first.id)

  const second = await make('20261120T110000000Z', {
    ...{ 'about.html': 'new', 'services/ac.html': 'ac', '_astro/a.css': 'a', 'og/b.png': 'png' },
  })
  const texts = new Map([['.well-known/security.txt', 'Contact']])
  const next = await copy(second, texts)
  assert.deepEqual(next, {
    ...{ site_url: SITE_URL, release: second.id, previous_release: first.id },
    added: ['/.well-known/security.txt', '/og/b.png', '/services/ac'],
    changed: ['/about'],
    removed: ['/', '/og/deep/a.png', '/services/ac/austin'],
  })
  assert.deepEqual(
    (await copied()).filter((name) => name.startsWith('site/')),
    [
      ...['site/.well-known', 'site/.well-known/security.txt', 'site/_astro', 'site/_astro/a.css'],
      ...['site/_headers', 'site/about.html', 'site/og', 'site/og/b.png', 'site/services'],
      'site/services/ac.html',
    ],
  )
  assert.equal(await read('site/about.html'), 'new')
  const { added, changed, removed } = await copy(second, texts)
  assert.deepEqual([added, changed, removed], [[], [], []])
})

test('a copy that failed is continued, and what it may have changed is listed', async (t) => {
  const { make, copy, read, copied } = await aRelease(t)
  const first = await make('20261120T100000000Z', { 'index.html': 'home', 'gone.html': 'gone' })
  await copy(first)
  const second = await make('20261120T110000000Z', { 'index.html': 'other', 'about.html': 'about' })
  await rm(join(second.siteDir, 'about.html'))
  await assert.rejects(copy(second), { code: 'ENOENT' })
  const [line, release, ...files] = (await read('files.tsv')).trimEnd().split('\n')
  assert.match(line ?? '', /^# /)
  assert.equal(release, second.id)
  const unfinished = files.filter((one) => one.endsWith('\t?')).map((one) => one.split('\t')[0])
  assert.deepEqual(unfinished.toSorted(), ['about.html', 'gone.html', 'index.html'])
  await writeFile(join(second.siteDir, 'about.html'), 'about')
  const { added, changed, removed } = await copy(second)
  assert.deepEqual([added, changed, removed], [[], ['/', '/about'], ['/gone']])
  assert.deepEqual(
    (await copied()).filter((name) => name.endsWith('.html')),
    ['site/about.html', 'site/index.html'],
  )
  assert.doesNotMatch(await read('files.tsv'), /\?/)
})

test('only an empty folder, or one with a copy, is written into', async (t) => {
  const outDir = temporaryFolder(t)
  assert.deepEqual(await readState(outDir), { release: null, hashes: new Map() })
  assert.deepEqual(await readState(join(outDir, 'none')), { release: null, hashes: new Map() })
  const hashes = new Map([
    ['a.css', ''],
    ['b.html', 'h'],
    ['c.css', ''],
  ])
  await writeState(outDir, 'r1', hashes)
  assert.deepEqual(await readState(outDir), { release: 'r1', hashes })
  const state = await readFile(join(outDir, 'files.tsv'), 'utf8')
  await writeFile(join(outDir, 'files.tsv'), `#${state}`)
  await assert.rejects(readState(outDir), { code: 'otherFiles' })
  await rm(join(outDir, 'files.tsv'))
  await writeFile(join(outDir, 'index.html'), state)
  await assert.rejects(readState(outDir), { code: 'otherFiles' })
  await assert.rejects(readState(join(outDir, 'index.html')), { code: 'notAFolder' })
  await assert.rejects(readState(join(outDir, 'a\0')), { code: 'ERR_INVALID_ARG_VALUE' })
})

test('§4 nginx configured as in docs/publishing.md answers former addresses like the server', {
  skip: withoutNginx,
}, async (t) => {
  const { db, copy, outDir } = await aCopy(t)
  const redirectFrom = [
    ...['/About', '/Company/About-Us', '/company/about-us', '/COMPANY/about-us', '/über-uns', '/Über-Uns'],
  ]
  await addEntry(db, 'pages', { slug: 'about', title: 'About', redirectFrom })
  const former = ['/our work', '/a "b";{c}', "/'d' $e"]
  await savePublishedAddresses(
    db,
    former.map((path) => ({ path, key: `own:${path}` })),
  )
  await copy()
  await db.updateTable('content_entries').set({ status: 'draft' }).where('slug', 'like', '%/dallas').execute()
  await copy()
  const get = await serveByNginx(t, outDir)
  assert.equal(await get('/'), '200 My business')
  assert.equal(await get('/about'), '200 About')
  assert.equal(await get('/about/?a=1'), '301 /about?a=1')
  const encoded = ['/%C3%BCber-uns', '/%c3%9cber-Uns']
  for (const path of ['/About', '/company/About-Us', '/COMPANY/about-us', ...encoded])
    assert.equal(await get(`${path}?from=mail`), '301 /about?from=mail')
  assert.equal(await get('/services/ac-repair/dallas'), '410 This page was removed')
  for (const path of former) assert.equal(await get(encodeURI(path)), '410 This page was removed', path)
  for (const path of ['/nowhere', '/404', '/410', '/410.html'])
    assert.equal(await get(path), '404 This page does not exist', path)
})

// Answers with the status, and the heading or where it leads.
async function serveByNginx(t: TestContext, outDir: string) {
  const port = await freePort()
  const guide = await readFile(join(PROJECT_DIR, 'docs/publishing.md'), 'utf8')
  const [, snippet = ''] = /```nginx\n(.*?)```/s.exec(guide) ?? []
  const site = snippet
    .replaceAll('/srv/signpost/data/current', outDir)
    .replace('server {', `server { listen 127.0.0.1:${port};`)
  const url = `http://127.0.0.1:${port}`
  await startNginx(t, { http: `types { text/html html; } ${site}`, url })
  const ask = (path: string) => fetch(url + path, { redirect: 'manual' })
  return async (path: string) => {
    const response = await ask(path)
    const heading = /<h1[^>]*>([^<]*)/.exec(await response.text())?.[1]
    return `${response.status} ${response.headers.get('location')?.replace(url, '') ?? heading}`
  }
}
