import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { copyRelease } from '#src/publish/static-host/static-copy.ts'
import { securityHeaders } from '#src/server/http/security-headers.ts'
import { temporaryFolder } from '../../support/database.ts'
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

test('§4 nginx configured as in docs/publishing.md answers former addresses like the server', {
  skip: withoutNginx,
}, async (t) => {
  const { db, copy, outDir } = await aCopy(t)
  const redirectFrom = ['/About', '/Company/About-Us', '/company/about-us', '/COMPANY/about-us']
  await addEntry(db, 'pages', { slug: 'about', title: 'About', redirectFrom })
  await copy()
  await db.updateTable('content_entries').set({ status: 'draft' }).where('slug', 'like', '%/dallas').execute()
  await copy()
  const get = await serveByNginx(t, outDir)
  assert.equal(await get('/'), '200 My business')
  assert.equal(await get('/about'), '200 About')
  assert.equal(await get('/about/?a=1'), '301 /about?a=1')
  for (const path of ['/About', '/company/About-Us', '/COMPANY/about-us'])
    assert.equal(await get(`${path}?from=mail`), '301 /about?from=mail')
  assert.equal(await get('/services/ac-repair/dallas'), '410 This page was removed')
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
