import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { connectSqlite } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import { silentProgress } from '#src/lib/progress.ts'
import type { ContentChange } from '#src/publish/changes/change-store.ts'
import { readPages } from '#src/publish/ledger/newest-release.ts'
import { publishSite } from '#src/publish/publish-site.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import { findCurrentRelease, listReleases } from '#src/publish/release/release.ts'
import { ensureBundle } from '#src/publish/render/bundle.ts'
import { createStaticSite } from '#src/server/http/static-site.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { temporaryFolder } from '../support/database.ts'
import { PROJECT_DIR } from '../support/running-site.ts'
import { addEntry, addPlaces, offer } from '../support/small-site.ts'
import { printFigure, soakLength } from '../support/soak.ts'
import { readCalls, tracingTo, withoutStrace } from '../support/traced-server.ts'

const PUBLISHES = soakLength(3, 50)
const KILLS = soakLength(2, 100)
const SELECTED_KILLS = soakLength(2, 50)
const READERS = 4
const PUBLISH = join(PROJECT_DIR, 'scripts/bench/build/publish-process.ts')

const KEPT_RELEASES = 5
const OPTIONS = { projectDir: PROJECT_DIR, siteUrl: 'https://example.com', progress: silentProgress }

const radiusOf = (edition: number) => Math.abs(edition) % 32

// A site whose every page says which edition of the content it shows, and whose stylesheet has another name in each.
async function aSite(t: TestContext) {
  const dataDir = temporaryFolder(t)
  const path = join(dataDir, 'signpost.db')
  const db = connectSqlite(path)
  t.after(() => db.destroy())
  await migrate(db)
  const places = await addPlaces(db, 'usa/texas/austin', 'usa/texas/dallas', 'usa/texas/waco')
  const id = await addEntry(db, 'services', { slug: 'ac-repair', title: 'Edition 0' })
  for (const slug of ['austin', 'dallas', 'waco'])
    await offer(db, { slug: 'ac-repair', id }, { slug, id: places.get(slug) as number })
  async function edit(edition: number) {
    const title = `Edition ${edition}`
    await db.updateTable('content_entries').set({ title }).where('id', '=', id).execute()
    const theme = { ...DEFAULT_SITE_SETTINGS.theme, radius: radiusOf(edition) }
    await saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, theme }, { now: new Date().toISOString() })
  }
  await edit(0)
  return { db, dataDir, databaseUrl: `file:${path}`, edit }
}

test('a crawler during publishes finds every page and asset, all from one release', async (t) => {
  const { db, dataDir, edit } = await aSite(t)
  const publish = () => publishSite(db, { ...OPTIONS, dataDir, now: () => new Date() })
  await publish()
  const url = await serve(t, dataDir)
  const stopping = new AbortController()
  const readers = Array.from({ length: READERS }, () => crawl(url, stopping.signal))
  for (let edition = 1; edition <= PUBLISHES; edition++) {
    await edit(edition)
    await publish()
  }
  stopping.abort()
  const read = (await Promise.all(readers)).reduce((sum, count) => sum + count, 0)
  printFigure(t, `${PUBLISHES} publishes, ${read} answers read: all 200, none mixed`)
})

async function serve(t: TestContext, dataDir: string): Promise<string> {
  const { clientDir } = await ensureBundle(PROJECT_DIR)
  const site = createStaticSite({ dataDir, log: { error: assert.ifError }, clientDir })
  const server = createServer((request, response) => {
    site.serve(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function crawl(url: string, signal: AbortSignal): Promise<number> {
  const dispatcher = new Agent({ connections: 1 })
  const paths = [
    '/',
    '/services',
    '/services/ac-repair',
    '/services/ac-repair/austin',
    '/services/ac-repair/waco',
  ]
  let count = 0
  async function read(path: string): Promise<string> {
    const { statusCode, body } = await request(url + path, { dispatcher })
    const text = await body.text()
    assert.equal(statusCode, 200, path)
    assert.ok(text.length > 0, path)
    count++
    return text
  }
  async function readPage(path: string): Promise<Set<string>> {
    const html = await read(path)
    assert.match(html, /<\/html>\s*$/)
    const [edition, ...others] = new Set(html.match(/Edition \d+/g))
    assert.deepEqual(others, [], `${path} mixes editions`)
    const assets = new Set(html.match(/(?<=(?:href|src)=")\/_astro\/[^"]+/g))
    for (const asset of assets) {
      const text = await read(asset)
      const radius = radiusOf(Number(edition?.split(' ')[1]))
      if (asset.includes('/theme-')) assert.ok(text.includes(`--radius:${radius}px`), `${path}: ${asset}`)
    }
    return assets
  }
  // A page that stays open asks for more of its assets when another release is there.
  let open = new Set<string>()
  while (!signal.aborted) {
    const assets = await Promise.all(paths.map(readPage))
    for (const asset of open) await read(asset)
    open = new Set(assets.flatMap((some) => [...some]))
  }
  await dispatcher.close()
  return count
}

test('a publish killed at any moment leaves the old site intact, and the next publish succeeds', async (t) => {
  const { db, dataDir, databaseUrl, edit } = await aSite(t)
  // From then on each release is made in the folder of an earlier one.
  for (let edition = 0; edition < KEPT_RELEASES; edition++) {
    await edit(-edition)
    await publishSite(db, { ...OPTIONS, dataDir, now: () => new Date() })
  }
  await edit(0)
  const started = performance.now()
  assert.equal(await runPublish({ databaseUrl, dataDir }), 0)
  const lastsMs = performance.now() - started
  for (let kill = 1; kill <= KILLS; kill++) {
    await edit(kill)
    const before = findCurrentRelease(dataDir)?.id
    // Every other time amid the last steps, which are too short for chance to meet them.
    const untilKilled = kill % 2 ? untilAlmostWhole(dataDir) : () => wait(Math.random() * lastsMs)
    await runPublish({ databaseUrl, dataDir, jobs: kill % 4 === 0 ? 2 : 1, untilKilled })
    const after = findCurrentRelease(dataDir)
    assert.match(String(after?.id), /Z$/)
    await assertWhole(dataDir, after?.id === before ? kill - 1 : kill)
    assert.equal(await runPublish({ databaseUrl, dataDir }), 0)
    await assertWhole(dataDir, kill)
    const names = await readdir(join(dataDir, 'releases'))
    assert.ok(!names.some((name) => name.endsWith('.tmp')))
    assert.ok(names.length <= KEPT_RELEASES + 1)
  }
  assert.ok((await listReleases(dataDir)).length <= 5)
  printFigure(t, `${KILLS} kills, the old site whole after each`)
})

test('a publish of selected changes killed at any moment publishes them whole or not at all', async (t) => {
  const { db, dataDir, databaseUrl } = await aSite(t)
  const ids = {
    about: await addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'Edition 0' }),
    news: await addEntry(db, 'pages', { slug: 'news', title: 'News', body: 'Edition 0' }),
  }
  const edit = (id: number, edition: number) =>
    db
      .updateTable('content_entries')
      .set({ body: `Edition ${edition}` })
      .where('id', '=', id)
      .execute()
  const editionOf = async (slug: string) => {
    const { siteDir = '' } = findCurrentRelease(dataDir) ?? {}
    const text = /<p>(Edition \d+)/.exec(await readFile(join(siteDir, pageFile(`/${slug}`)), 'utf8'))
    return Number(text?.[1]?.split(' ')[1])
  }
  assert.equal(await runPublish({ databaseUrl, dataDir }), 0)
  const selected: ContentChange[] = [{ subject: 'entry', subjectId: `${ids.about}` }]
  const started = performance.now()
  await edit(ids.about, 1)
  assert.equal(await runPublish({ databaseUrl, dataDir, selected }), 0)
  const lastsMs = performance.now() - started
  let live = 1
  let undone = 0
  for (let kill = 1; kill <= SELECTED_KILLS; kill++) {
    await edit(ids.about, kill + 1)
    await edit(ids.news, kill)
    const untilKilled = kill % 2 ? untilAlmostWhole(dataDir) : () => wait(Math.random() * lastsMs)
    await runPublish({ databaseUrl, dataDir, selected, untilKilled })
    const shown = await editionOf('about')
    assert.ok(shown === live || shown === kill + 1, `${shown} is live after ${live}`)
    if (shown === live) undone++
    assert.equal(await editionOf('news'), 0)
    assert.equal(await runPublish({ databaseUrl, dataDir, selected }), 0)
    live = await editionOf('about')
    assert.deepEqual([live, await editionOf('news')], [kill + 1, 0])
  }
  assert.equal(await runPublish({ databaseUrl, dataDir }), 0)
  assert.equal(await editionOf('news'), SELECTED_KILLS)
  printFigure(t, `${SELECTED_KILLS} kills, ${undone} before the switch; nothing else went live`)
})

// Until the pages are there, but assets and pictures are not.
function untilAlmostWhole(dataDir: string) {
  const releases = join(dataDir, 'releases')
  const isAlmostWhole = (name: string) =>
    name.endsWith('.tmp') && existsSync(join(releases, name, 'site', 'robots.txt'))
  return async (over: AbortSignal) => {
    while (!over.aborted && !(await readdir(releases)).some(isAlmostWhole)) await wait(1)
  }
}

interface Run {
  databaseUrl: string
  dataDir: string
  jobs?: number
  /** The selected changes; without them, everything is published. */
  selected?: readonly ContentChange[]
  /** The program that runs it. */
  under?: string[]
  untilKilled?: (over: AbortSignal) => Promise<void>
}

test('no site goes live before all of its files and folder entries are on disk', {
  skip: withoutStrace,
}, async (t) => {
  const { db, dataDir, databaseUrl, edit } = await aSite(t)
  assert.equal(await runPublish({ databaseUrl, dataDir }), 0)
  await edit(1)
  await db.updateTable('taxonomy_terms').set({ slug: 'atx' }).where('slug', '=', 'austin').execute()
  const log = join(dataDir, 'strace.log')
  assert.equal(await runPublish({ databaseUrl, dataDir, under: ['strace', ...tracingTo(log)] }), 0)
  const calls = await readCalls(log)
  assert.deepEqual(unsyncedAtSwitch(calls), [])
  // What would be seen if one of these syncs were missing.
  for (const place of [
    '/changes.tsv',
    '/site/_redirects',
    '/site/services/ac-repair/atx.html',
    '/site/og',
    '/releases',
  ]) {
    const others = calls.filter((call) => !SYNC.exec(call)?.[1]?.endsWith(place))
    assert.equal(unsyncedAtSwitch(others).length, 1, `without the sync of ${place}`)
  }
  const synced = new Set(
    calls.map((call) => SYNC.exec(call)?.[1]).filter((path) => path?.includes('/releases')),
  )
  printFigure(t, `0 of ${synced.size} files and folders not on disk at the switch`)
})

const SYNC = /^f(?:data)?sync\(\d+<([^>]*)>/
const WRITE = /^(?:p?writev?(?:64)?|sendfile|copy_file_range\(\d+<[^>]*>, [^,]*, )\(?\d+<([^>]*)>/
const NAME = /^(?:mkdir|link|rename)\(.*"([^"]*)"\) += 0/

/** What of releases was changed, file or folder, and not on disk yet when the site was switched. */
function unsyncedAtSwitch(calls: readonly string[]): string[] {
  const unsynced = new Set<string>()
  for (const call of calls) {
    const named = NAME.exec(call)?.[1]
    if (named?.endsWith('/current')) return [...unsynced]
    const written = WRITE.exec(call)?.[1]
    for (const path of [written, written && dirname(written), named && dirname(named)])
      if (path && /\/releases(?:$|\/(?!.*\/parts))/.test(path)) unsynced.add(path)
    unsynced.delete(SYNC.exec(call)?.[1] ?? '')
  }
  return assert.fail('the site was never switched')
}

// Ends when the process, and those that it started, are gone: all of them hold its output open.
async function runPublish({ databaseUrl, dataDir, jobs = 1, selected, under = [], untilKilled }: Run) {
  const parts = [PUBLISH, databaseUrl, dataDir, PROJECT_DIR, String(jobs)]
  const publish = [process.execPath, ...parts, ...(selected ? [JSON.stringify(selected)] : [])]
  const [command = '', ...parameters] = [...under, ...publish]
  const child = spawn(command, parameters, {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.stdout.resume()
  const closed = once(child, 'close')
  if (untilKilled) {
    const over = new AbortController()
    await Promise.race([untilKilled(over.signal), closed])
    over.abort()
    child.kill('SIGKILL')
  }
  const [code] = await closed
  return code
}

async function assertWhole(dataDir: string, edition: number) {
  const release = findCurrentRelease(dataDir)
  assert.ok(release)
  for (const { path, size } of readPages(dataDir)) {
    const html: string = await readFile(join(release.siteDir, pageFile(path)), 'utf8')
    assert.equal(Buffer.byteLength(html), size, path)
    if (path.startsWith('/services/'))
      assert.ok(html.includes(`Edition ${edition}`), `${path} shows another edition`)
    for (const [, asset = ''] of html.matchAll(/(?:href|src)="(\/_astro\/[^"#]+)/g))
      assert.ok(existsSync(join(release.siteDir, asset)), `${asset} of ${path} is missing`)
  }
}
