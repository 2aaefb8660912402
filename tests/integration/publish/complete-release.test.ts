import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { listFiles, saveFiles } from '#src/publish/ledger/file-store.ts'
import { ledgerFile, openLedger } from '#src/publish/ledger/ledger-store.ts'
import { savePages } from '#src/publish/ledger/page-store.ts'
import { Stage } from '#src/publish/ledger/stage-store.ts'
import type { Compared } from '#src/publish/plan/compare-site.ts'
import { completeRelease, fillRelease } from '#src/publish/release/complete-release.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import { startRelease } from '#src/publish/release/release.ts'
import { SiteWriter } from '#src/publish/release/site-writer.ts'
import { emptyOutcome, type StagedPage } from '#src/publish/render/share-work.ts'
import { shortHash } from '#src/site/content/fingerprint.ts'
import { loadSiteContent } from '#src/site/content/site-content.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { aStagedPage, goLive } from '../../support/live-release.ts'

const SITE_URL = 'https://example.com'
const NOW = new Date('2026-11-20T12:00:00.000Z')

function addFiles(folder: string, files: Record<string, string>) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}

/** A live release with four pages and three other files, and the next one, whose pages are compared. */
async function aRelease(
  t: TestContext,
  { pages = NEXT, links = [] as { page: string; target: string }[] } = {},
) {
  const db = await openTestDatabase(t)
  await db.updateTable('forms').set({ status: 'archived' }).execute()
  const content = await loadSiteContent(db, { siteUrl: SITE_URL, now: NOW })
  const [dataDir, clientDir] = [temporaryFolder(t), temporaryFolder(t)]
  const live = await goLive(dataDir, { pages: ['/', '/about', '/gone', '/same'].map((path) => ({ path })) })
  const others = { '_astro/old.css': 'old', '_astro/kept.css': 'kept', '../redirects.map': '/x /y;\n' }
  addFiles(live.siteDir, {
    ...{ 'index.html': 'home', 'about.html': 'about', 'gone.html': 'gone', 'same.html': 'same' },
    ...others,
  })
  addFiles(clientDir, {
    ...{ '_astro/kept.css': 'kept', '_astro/new.css': 'new', '_admin/admin.js': 'admin' },
  })
  const ledger = openLedger(ledgerFile(dataDir))
  t.after(() => ledger.close())
  const written = Object.entries(others).map(([file, text]) => ({
    ...{ file, hash: shortHash(text), size: text.length },
  }))
  saveFiles(ledger, { written, removed: [] })
  const before = { ledger, release: live, facts: { pages: 4 } as never }
  const unfinished = await startRelease(dataDir, { now: NOW, mayReuse: () => false })
  const writer = new SiteWriter(unfinished.siteDir)
  const stage = new Stage(ledger)
  stage.add({ ...emptyOutcome(), pages, links })
  stage.findRemoved()
  for (const { record, isWritten } of pages)
    if (isWritten) writer.write(pageFile(record.path), `new ${record.path}`)
  const fill = () => fillRelease(unfinished, { ...before, stage, writer })
  const problems: string[] = []
  const calls: string[] = []
  const complete = (options: Partial<Parameters<typeof completeRelease>[1]> = {}) => {
    savePages(ledger)
    const plan = { ...stage.count(), causes: [], quality: { pages: 0, unlisted: 0, closest: [] } }
    const compared = { plan, stage, shares: [], sources: [], facts: { listed: 3 } } as unknown as Compared
    return completeRelease(unfinished, {
      ...{ db, dataDir, content, bundle: { clientDir } as never, before, compared, writer, problems },
      ...{ moved: undefined, moves: undefined, copiedPages: 0, pictures: new Map(), unused: [] },
      ...{ onPicture: () => calls.push('picture'), onFiles: () => calls.push('files') },
      ...options,
    })
  }
  const has = (file: string) => existsSync(join(unfinished.siteDir, file))
  const read = (file: string) => readFileSync(join(unfinished.siteDir, file), 'utf8')
  const listed = () =>
    listFiles(ledger)
      .map(({ file }) => file)
      .toSorted()
  return { live, unfinished, clientDir, ledger, fill, complete, has, read, listed, calls }
}

const NEXT: StagedPage[] = [
  aStagedPage({ path: '/', bytesHash: 'b2' }, { state: 'changed' }),
  aStagedPage({ path: '/about' }, { state: 'unchanged', isWritten: false }),
  aStagedPage({ path: '/new' }),
  aStagedPage({ path: '/same' }, { state: 'same' }),
]

test('a release keeps the pages and files of the last one that don’t differ', async (t) => {
  const { live, unfinished, fill, has, read } = await aRelease(t)
  assert.equal(fill(), 0, 'none is copied')
  assert.deepEqual([read('index.html'), read('new.html'), read('about.html')], ['new /', 'new /new', 'about'])
  assert.equal(read('same.html'), 'new /same')
  assert.equal(has('gone.html'), false)
  assert.equal(read('_astro/old.css'), 'old')
  const inodes = [live, unfinished].map(({ siteDir }) => statSync(join(siteDir, 'about.html')).ino)
  assert.equal(inodes[0], inodes[1])
})

test('a release has its assets, sitemaps, and list of changes, and nothing of the last one', async (t) => {
  const { fill, complete, has, read, listed, calls } = await aRelease(t, {
    links: [
      { page: '/', target: '/about' },
      { page: '/', target: '/nowhere' },
    ],
  })
  fill()
  const moved = new Map([
    ['../redirects.map', '/gone /new;\n'],
    ['_redirects', '/gone /new 301\n'],
  ])
  assert.deepEqual(await complete({ moved }), [{ page: '/', target: '/nowhere' }])
  assert.deepEqual(calls, ['files'])
  assert.deepEqual(['_astro/new.css', '_astro/kept.css', '_astro/old.css', '_admin/admin.js'].map(has), [
    true,
    true,
    false,
    false,
  ])
  assert.deepEqual([read('../redirects.map'), read('_redirects')], ['/gone /new;\n', '/gone /new 301\n'])
  assert.match(read('sitemap-index.xml'), /sitemap-0\.xml/)
  const addresses = [...read('sitemap-0.xml').matchAll(/<loc>([^<]*)/g)].map(([, address]) => address)
  assert.deepEqual(
    addresses,
    ['/', '/about', '/new', '/same'].map((path) => SITE_URL + path),
  )
  assert.equal(
    read('../changes.tsv'),
    ['changed\t/\tpage:/\t\n', 'removed\t/gone\tpage:/gone\t\n', 'added\t/new\tpage:/new\t\n'].join('') +
      'same\t/same\tpage:/same\t\n',
  )
  for (const file of ['_astro/new.css', '_redirects', 'robots.txt', 'sitemap-0.xml', '../redirects.map'])
    assert.ok(listed().includes(file), file)
  for (const file of ['_astro/old.css', '_admin/admin.js', '../changes.tsv'])
    assert.ok(!listed().includes(file), file)
})

test('redirects that didn’t change are kept, and a removed page’s file goes', async (t) => {
  const { unfinished, fill, complete, has, read, listed } = await aRelease(t)
  fill()
  addFiles(unfinished.siteDir, { 'gone.html': 'from the reused folder' })
  assert.deepEqual(await complete(), [])
  assert.deepEqual([has('gone.html'), read('../redirects.map')], [false, '/x /y;\n'])
  assert.ok(listed().includes('../redirects.map'))
})

test('a release must have as many pages as were compared', async (t) => {
  const feed = aStagedPage({ path: '/feed.xml', reads: '[]' })
  const complete = await aRelease(t, { pages: [...NEXT, feed] })
  complete.fill()
  await complete.complete()
  const { unfinished, fill, complete: fails } = await aRelease(t)
  fill()
  addFiles(unfinished.siteDir, { 'more.html': 'more' })
  await assert.rejects(fails(), { code: 'pagesMissing', parts: [5, 4] })
})

test('if only some pages were compared, other files stay', async (t) => {
  const { unfinished, fill, complete, has, listed, calls } = await aRelease(t)
  fill()
  addFiles(unfinished.siteDir, { 'more.html': 'more', '_astro/picture-a.webp': 'a' })
  await complete({ moves: { parts: [0], pictures: ['/_astro/old.css'] }, unused: ['_astro/picture-a.webp'] })
  assert.deepEqual(
    ['_astro/new.css', '_astro/kept.css', '_astro/old.css', '_astro/picture-a.webp', 'more.html'].map(has),
    [false, true, false, false, true],
  )
  assert.ok(listed().includes('_astro/kept.css'))
  assert.ok(!listed().includes('_astro/old.css'))
  assert.deepEqual(calls, ['files'])
})
