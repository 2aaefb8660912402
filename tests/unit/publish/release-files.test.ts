import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { movedFiles } from '#src/publish/addresses/moved-addresses.ts'
import { listSitemaps, saveFiles } from '#src/publish/ledger/file-store.ts'
import { beginRelease, type Ledger, ledgerFile, openLedger } from '#src/publish/ledger/ledger-store.ts'
import { savePages } from '#src/publish/ledger/page-store.ts'
import { Stage } from '#src/publish/ledger/stage-store.ts'
import type { Before } from '#src/publish/plan/compare-site.ts'
import { flushWhole } from '#src/publish/release/flush-release.ts'
import { openMoments } from '#src/publish/release/known-moments.ts'
import { prepareNextFolder, startNextFolder } from '#src/publish/release/next-folder.ts'
import { filesAt, pageFile, pagePath } from '#src/publish/release/page-file.ts'
import {
  abandonRelease,
  findCurrentRelease,
  findOldestReleaseMoment,
  findReleaseMoment,
  finishRelease,
  hasRelease,
  listFolders,
  listReleases,
  listSpares,
  type Release,
  releaseAt,
  removeOldReleases,
  startRelease,
  switchToRelease,
} from '#src/publish/release/release.ts'
import { createSiteParts, hasWholeFiles } from '#src/publish/release/site-parts.ts'
import { bringFile, isIntact, SiteWriter, takeOver } from '#src/publish/release/site-writer.ts'
import { writeSitemaps } from '#src/publish/release/sitemaps.ts'
import { leadsSomewhere, verifyRelease } from '#src/publish/release/verify-release.ts'
import { emptyOutcome } from '#src/publish/render/share-work.ts'
import { shortHash } from '#src/site/content/fingerprint.ts'
import { temporaryFolder } from '../../support/database.ts'
import { aStagedPage, goLive } from '../../support/live-release.ts'

const idAt = (hour: number) => `20261120T${String(hour).padStart(2, '0')}0000000Z`

function addFiles(folder: string, files: Record<string, string>) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}

function addRelease(dataDir: string, name: string, files: Record<string, string> = {}): Release {
  const release = releaseAt(dataDir, name)
  mkdirSync(release.siteDir, { recursive: true })
  addFiles(release.siteDir, files)
  return release
}

const foldersIn = (dataDir: string) => readdirSync(join(dataDir, 'releases')).sort()
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

function aLedger(t: TestContext) {
  const ledger = openLedger(ledgerFile(temporaryFolder(t)))
  t.after(() => ledger.close())
  return ledger
}

test('an address means a page first, and never a file for static hosts', () => {
  for (const [path, file, files] of [
    ['/', 'index.html', undefined],
    ['/a/b', 'a/b.html', ['a/b.html', 'a/b']],
    ['/feed.xml', 'feed.xml', ['feed.xml']],
    ['/_headers', '_headers.html', ['_headers.html']],
    ['/a/_b', 'a/_b.html', ['a/_b.html', 'a/_b']],
  ] as const) {
    assert.equal(pageFile(path), file)
    assert.equal(pagePath(file), file === 'feed.xml' ? '/feed.xml' : path)
    if (files) assert.deepEqual(filesAt(path), files)
  }
})

test('the current release is a link to a complete folder', async (t) => {
  const dataDir = temporaryFolder(t)
  assert.equal(findCurrentRelease(dataDir), undefined)
  assert.equal(findReleaseMoment(dataDir), undefined)
  assert.equal(await findOldestReleaseMoment(dataDir), undefined)
  assert.deepEqual([await listReleases(dataDir), await listSpares(dataDir)], [[], []])
  const release = addRelease(dataDir, '20261120T103045678Z')
  for (const hour of [9, 8]) addRelease(dataDir, idAt(hour))
  for (const other of ['20261120T110000000Z.tmp', 'notes', '20261120T1100Z']) addRelease(dataDir, other)
  await switchToRelease(dataDir, release)
  assert.deepEqual(findCurrentRelease(dataDir), release)
  assert.equal(readlinkSync(join(dataDir, 'current')), `releases/${release.id}`)
  assert.equal(findReleaseMoment(dataDir), '2026-11-20T10:30:45.678Z')
  assert.equal(await findOldestReleaseMoment(dataDir), '2026-11-20T08:00:00.000Z')
  const ids = (await listReleases(dataDir)).map(({ id }) => id)
  assert.deepEqual(ids, [release.id, idAt(9), idAt(8)])
  assert.deepEqual(
    [release.id, idAt(7), 'notes', '20261120T110000000Z.tmp'].map((id) => hasRelease(dataDir, id)),
    [true, false, false, false],
  )
  await switchToRelease(dataDir, releaseAt(dataDir, idAt(9)))
  assert.equal(findCurrentRelease(dataDir)?.id, idAt(9))
  rmSync(releaseAt(dataDir, idAt(9)).siteDir, { recursive: true })
  assert.equal(findCurrentRelease(dataDir), undefined, 'it is incomplete')
  rmSync(join(dataDir, 'current'))
  mkdirSync(join(dataDir, 'current'))
  assert.throws(() => findCurrentRelease(dataDir), { code: 'notALink' })
  writeFileSync(join(dataDir, 'file'), '')
  assert.throws(() => findCurrentRelease(join(dataDir, 'file')), { code: 'ENOTDIR' })
})

test('a release is made in the folder of a discarded one, or in an empty one', async (t) => {
  const dataDir = temporaryFolder(t)
  const start = (hour: number, mayReuse = (_: string) => true) =>
    startRelease(dataDir, {
      now: new Date(`2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`),
      mayReuse,
    })
  const first = await start(10)
  assert.deepEqual([first.id, first.spareOf], [idAt(10), undefined])
  assert.equal(first.dir, releaseAt(dataDir, `${idAt(10)}.tmp`).dir)
  assert.deepEqual(foldersIn(dataDir), [`${idAt(10)}.tmp`])
  assert.equal(await finishRelease(dataDir, first).then(({ dir }) => dir), releaseAt(dataDir, idAt(10)).dir)
  assert.equal((await start(9)).id, '20261120T100000001Z', 'the clock was set back')

  const given = await start(11)
  addFiles(given.siteDir, { 'a.html': 'left' })
  await abandonRelease(dataDir, given)
  assert.ok(!existsSync(given.dir))
  for (const hour of [7, 8]) addRelease(dataDir, `${idAt(hour)}.spare`, { 'a.html': `${hour}` })
  assert.deepEqual(
    (await listFolders(dataDir)).map(({ id }) => id),
    [idAt(10), idAt(8), idAt(7)],
  )
  const asked: string[] = []
  const reused = await start(12, (id) => {
    asked.push(id)
    return id === idAt(7)
  })
  assert.deepEqual([asked, reused.spareOf], [[idAt(8), idAt(7)], idAt(7)])
  assert.equal(readFileSync(join(reused.siteDir, 'a.html'), 'utf8'), '7')
  await abandonRelease(dataDir, reused)
  assert.deepEqual(
    (await listSpares(dataDir)).map(({ id }) => id),
    [idAt(8), idAt(7)],
  )
  assert.equal((await start(13, () => false)).spareOf, undefined)
  const again = { ...(await start(14)), id: idAt(10) }
  addFiles(again.siteDir, { 'new.html': '' })
  await finishRelease(dataDir, again)
  assert.deepEqual(filesIn(releaseAt(dataDir, idAt(10)).siteDir), ['a.html', 'new.html'])
  assert.ok(existsSync(releaseAt(dataDir, `${idAt(10)}.former.tmp`).dir))
})

test('five releases are kept, the current one, and a folder for the next', async (t) => {
  const dataDir = temporaryFolder(t)
  for (let hour = 1; hour <= 9; hour += 1) addRelease(dataDir, idAt(hour))
  addRelease(dataDir, `${idAt(0)}.spare`)
  addRelease(dataDir, `${idAt(10)}.tmp`)
  mkdirSync(join(dataDir, 'releases', 'notes'))
  await switchToRelease(dataDir, releaseAt(dataDir, idAt(2)))
  await removeOldReleases(dataDir)
  const kept = [idAt(2), `${idAt(4)}.spare`, ...[5, 6, 7, 8, 9].map(idAt), 'notes']
  assert.deepEqual(foldersIn(dataDir), kept)
  await removeOldReleases(dataDir)
  assert.deepEqual(foldersIn(dataDir), kept)
  addRelease(dataDir, `${idAt(6)}.spare`)
  await removeOldReleases(dataDir)
  assert.deepEqual(
    foldersIn(dataDir).filter((name) => name.endsWith('.spare')),
    [`${idAt(6)}.spare`],
  )
  addRelease(dataDir, idAt(11))
  await removeOldReleases(dataDir)
  assert.deepEqual(foldersIn(dataDir), [
    idAt(2),
    ...[6, 7, 8, 9, 11].flatMap((hour) => (hour === 6 ? [idAt(6), `${idAt(6)}.spare`] : idAt(hour))),
    'notes',
  ])
  const none = temporaryFolder(t)
  await removeOldReleases(none)
  assert.deepEqual(readdirSync(none), [])
})

test('the folder of the next release gets the files of the live one', async (t) => {
  const dataDir = temporaryFolder(t)
  const prepare = () => prepareNextFolder(dataDir, { fewFiles: 1 })
  await prepare()
  const live = await goLive(dataDir, { id: idAt(10), pages: [{ path: '/' }, { path: '/a/b' }] })
  addFiles(live.siteDir, { 'index.html': 'home', 'a/b.html': 'b', 'other.txt': 'not in the ledger' })
  addRelease(dataDir, `${idAt(10)}.next`, { 'left.html': '' })
  await prepareNextFolder(dataDir, { fewFiles: 2 })
  assert.deepEqual([await listSpares(dataDir), foldersIn(dataDir)], [[], [idAt(10)]])
  await prepare()
  const [spare] = await listSpares(dataDir)
  assert.equal(spare?.id, idAt(10))
  assert.deepEqual(filesIn(spare?.siteDir ?? ''), ['a/b.html', 'index.html'])
  const inodes = [spare, live].map((one) => statSync(join(one?.siteDir ?? '', 'a/b.html')).ino)
  assert.equal(inodes[0], inodes[1], 'a link')
  await prepare()
  assert.deepEqual(foldersIn(dataDir), [idAt(10), `${idAt(10)}.spare`])

  const next = await goLive(dataDir, { id: idAt(11), pages: [{ path: '/' }, { path: '/c' }, { path: '/d' }] })
  addFiles(next.siteDir, { 'index.html': 'home', 'c.html': 'c', 'd.html': 'd' })
  await prepare()
  const [unknown] = await listSpares(dataDir)
  assert.deepEqual(filesIn(unknown?.siteDir ?? ''), ['c.html', 'd.html', 'index.html'])
  // Another release is in the ledger than the live one.
  await switchToRelease(dataDir, live)
  const before = foldersIn(dataDir)
  await prepare()
  assert.deepEqual(foldersIn(dataDir), before)
  rmSync(ledgerFile(dataDir))
  await prepare()
  assert.ok(!existsSync(ledgerFile(dataDir)))
  startNextFolder(dataDir, { added: 2_000, changed: 2_000, unchanged: 1_000 })
})

test('a page’s file follows from its address', () => {
  const files = [
    '/',
    '/a',
    '/a/b',
    '/v1.2/b',
    '/v2.0',
    '/feed.xml',
    '/a/b.txt',
    '/a.7z',
    '/.well-known/a',
  ].map(pageFile)
  const pages = ['index.html', 'a.html', 'a/b.html', 'v1.2/b.html', 'v2.0.html']
  assert.deepEqual(files, [...pages, 'feed.xml', 'a/b.txt', 'a.7z', '.well-known/a'])
})

test('files are replaced and never written to, and empty folders are deleted', (t) => {
  const folder = temporaryFolder(t)
  const siteDir = join(folder, 'site')
  addFiles(folder, { 'old/a.html': 'old', 'old/x/y.html': 'y' })
  addFiles(siteDir, { 'c.html': 'c', 'deep/er/b.html': 'b', 'deep/c.html': 'c', 'empty/a.html': '' })
  const writer = new SiteWriter(siteDir)
  assert.equal(writer.keep('a.html', join(folder, 'old')), 'linked')
  writer.write('a.html', 'new')
  writer.write('made/here/b.html', Buffer.from('b'))
  writer.remove('none.html')
  writer.remove('deep/er/b.html')
  assert.deepEqual([existsSync(join(siteDir, 'deep')), existsSync(join(siteDir, 'deep/er'))], [true, false])
  writer.write('deep/er/d.html', 'd')
  writer.remove('deep/c.html')
  writer.remove('empty/a.html')
  assert.ok(!existsSync(join(siteDir, 'empty')))
  assert.equal(writer.isLarge, false)
  writer.flush()
  const bring = (file: string) => bringFile(writer, file, { siteDir: join(folder, 'old') })
  assert.deepEqual([bring('x/y.html'), bring('c.html')], ['linked', undefined])
  assert.deepEqual(filesIn(siteDir), ['a.html', 'deep/er/d.html', 'made/here/b.html', 'x/y.html'])
  assert.throws(() => writer.keep('z.html', join(folder, 'none')), { code: 'ENOENT' })
  // Another file system.
  assert.equal(writer.keep('version', '/proc'), 'copied')
  assert.ok(existsSync(join(siteDir, 'version')))
  rmSync(join(siteDir, 'version'))
  for (let count = 0; count < 199; count += 1) writer.write(`many/${count}.html`, '')
  assert.equal(writer.isLarge, false)
  writer.write('last.html', '')
  assert.equal(writer.isLarge, true)
  const other = new SiteWriter(siteDir)
  for (const file of filesIn(siteDir)) other.remove(file)
  assert.deepEqual(readdirSync(siteDir), [])
})

test('a folder that was emptied is made again, and a removed one isn’t flushed', (t) => {
  const folder = temporaryFolder(t)
  const [siteDir, old] = [join(folder, 'site'), join(folder, 'old')]
  addFiles(old, { 'a/b/c.html': 'c', 'd/e.html': 'e' })
  mkdirSync(siteDir)
  const writer = new SiteWriter(siteDir)
  for (const file of filesIn(old)) writer.keep(file, old)
  for (const file of filesIn(old)) writer.remove(file)
  writer.write('a/b/new.html', 'new')
  writer.flush()
  assert.deepEqual(filesIn(siteDir), ['a/b/new.html'])
})

test('a file of the live release is taken over where it is missing', (t) => {
  const folder = temporaryFolder(t)
  const live = { siteDir: join(folder, 'site') }
  addFiles(live.siteDir, { 'a.png': 'a' })
  const kept = join(folder, 'kept/og/a.png')
  assert.equal(takeOver('a.png', { live: undefined, kept }), false)
  assert.equal(takeOver('b.png', { live, kept }), false)
  assert.ok(!existsSync(dirname(kept)))
  for (let time = 0; time < 2; time += 1) assert.equal(takeOver('a.png', { live, kept }), true)
  assert.equal(readFileSync(kept, 'utf8'), 'a')
  const is = (values: object) => isIntact(live.siteDir, { file: 'a.png', size: 1, hash: '', ...values })
  const found = [is({}), is({ hash: shortHash('a') }), is({ hash: shortHash('b') }), is({ size: 2 })]
  assert.deepEqual([...found, is({ file: 'b.png' })], [true, true, false, false, false])
})

test('other files of a site stay as they are unless they differ or are damaged', (t) => {
  const ledger = aLedger(t)
  const folder = temporaryFolder(t)
  const release = { id: 'a', dir: folder, siteDir: join(folder, 'old') }
  const known = { 'a.css': 'a', 'b.css': 'b', 'cut.css': 'whole', 'gone.css': 'g', 'named.js': 'n' }
  addFiles(release.siteDir, known)
  const hashOf = (file: string, text: string) => (file === 'named.js' ? '' : shortHash(text))
  const written = Object.entries(known).map(([file, text]) => ({
    ...{ file, hash: hashOf(file, text), size: text.length },
  }))
  saveFiles(ledger, { written, removed: [] })
  const before = (values: Partial<Before> = {}): Before => ({ ledger, release, facts: undefined, ...values })
  assert.deepEqual([hasWholeFiles(before()), hasWholeFiles(before({ release: undefined }))], [true, false])
  truncateSync(join(release.siteDir, 'cut.css'), 1)
  assert.equal(hasWholeFiles(before()), false)
  const siteDir = join(folder, 'new')
  const make = (isWhole: boolean, values: Partial<Before> = {}) =>
    createSiteParts({ siteDir }, { writer: new SiteWriter(siteDir), before: before(values), isWhole })
  const parts = make(true)
  parts.write('a.css', 'a')
  parts.write('b.css', 'new')
  parts.write('b.css', 'new')
  parts.write('cut.css', 'whole')
  parts.carry('carried.css')
  assert.equal(parts.keep('named.js', release.siteDir), 'linked')
  assert.equal(parts.keep('gone.css', release.siteDir), 'linked')
  const outcome = parts.finish()
  assert.deepEqual(outcome, {
    written: [
      { file: 'b.css', hash: shortHash('new'), size: 3 },
      { file: 'cut.css', hash: shortHash('whole'), size: 5 },
      { file: 'gone.css', hash: '', size: 1 },
    ],
    ...{ removed: [], copied: 0 },
  })
  assert.deepEqual(filesIn(siteDir), ['b.css', 'cut.css', 'gone.css'])
  const fewer = make(true)
  for (const file of ['a.css', 'b.css', 'cut.css']) fewer.carry(file)
  fewer.remove('x.css')
  assert.deepEqual(fewer.finish().removed, ['x.css', 'gone.css', 'named.js'])
  assert.deepEqual(make(false).finish(), { written: [], removed: [], copied: 0 })

  // A check compares the bytes.
  writeFileSync(join(release.siteDir, 'a.css'), 'x')
  const checked = (readsFiles: boolean) => {
    const some = make(false, { readsFiles })
    some.write('a.css', 'a')
    return some.finish().written.length
  }
  assert.deepEqual([checked(false), checked(true)], [0, 1])
})

function addPages(ledger: Ledger, pages: Parameters<typeof aStagedPage>[0][]) {
  const writing = beginRelease(ledger)
  ledger.exec('drop table if exists temp.staged; drop table if exists temp.reasons')
  for (const table of ['page_reasons', 'links', 'qualities', 'drawings'])
    ledger.exec(`drop table if exists temp.${table}`)
  new Stage(ledger).add({ ...emptyOutcome(), pages: pages.map((page) => aStagedPage(page)) })
  savePages(ledger)
  return () => writing.commit({ id: `${pages.length}`, facts: {} as never }, [])
}

test('only the sitemaps whose pages moved are written again', (t) => {
  const ledger = aLedger(t)
  addPages(ledger, [
    { path: '/a', part: 1, modifiedAt: '2026-11-20T10:00:00Z' },
    { path: '/b', part: 65_000, modifiedAt: '2026-11-21T10:00:00Z' },
    { path: '/c', part: 65_000, isListed: false },
  ])()
  const write = (listed: number, moved: number[] | undefined) => {
    const files = new Map<string, string>()
    const removed: string[] = []
    const parts = {
      write: (file: string, text: string) => void files.set(file, text),
      remove: (file: string) => void removed.push(file),
    }
    writeSitemaps(parts as never, ledger, { siteUrl: 'https://example.com', listed, moved })
    return { files: [...files.keys()], removed, text: files.get('sitemap-0.xml') ?? '', all: files }
  }
  const first = write(2, undefined)
  assert.deepEqual([first.files, first.removed], [['sitemap-0.xml', 'sitemap-index.xml'], []])
  assert.deepEqual(
    [...first.text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address),
    ['https://example.com/a', 'https://example.com/b'],
  )
  assert.deepEqual([...listSitemaps(ledger)], [['/sitemap-0.xml', '2026-11-21T10:00:00Z']])
  assert.match(first.all.get('sitemap-index.xml') ?? '', /sitemap-0\.xml.*2026-11-21T10:00:00Z/s)
  const kept = write(2, [])
  assert.deepEqual(
    [kept.files, kept.all.get('sitemap-index.xml')],
    [['sitemap-index.xml'], first.all.get('sitemap-index.xml')],
  )
  assert.deepEqual(write(2, [7]).files, ['sitemap-0.xml', 'sitemap-index.xml'])
  const more = write(60_000, [])
  assert.ok(more.files.length > 2, 'every sitemap is new')
  const count = more.files.length - 1
  const [cut] = [Math.ceil(65_536 / count)]
  assert.deepEqual(write(60_000, [0]).files, ['sitemap-0.xml', 'sitemap-index.xml'])
  assert.deepEqual(write(60_000, [cut]).files, ['sitemap-1.xml', 'sitemap-index.xml'])
  assert.deepEqual(write(60_000, [65_535]).files, [`sitemap-${count - 1}.xml`, 'sitemap-index.xml'])
  assert.deepEqual(write(2, []).removed, more.files.slice(1, -1))
})

test('a page that is unknown to the ledger keeps its time if its bytes are the same', (t) => {
  const siteDir = temporaryFolder(t)
  const entry = (path: string) =>
    `<url><loc>https://example.com${path}</loc><lastmod>2026-11-20T10:00:00Z</lastmod></url>`
  addFiles(siteDir, {
    ...{ 'a.html': 'a', 'b.html': 'b', 'c.html': 'c' },
    'sitemap-1.xml': `${entry('/a')}${entry('/gone')}<url><loc>https://other.example/b</loc><lastmod>x</lastmod></url>`,
    ...{ 'sitemap-2.xml': entry('/c'), 'sitemap-index.xml': entry('/b') },
  })
  const momentOf = openMoments({ id: '', dir: '', siteDir }, 'https://example.com')
  const of = (path: string, text: string) => momentOf(path, Buffer.from(text))
  const at = '2026-11-20T10:00:00Z'
  assert.deepEqual(
    [of('/a', 'a'), of('/c', 'c'), of('/a', 'x'), of('/b', 'b'), of('/gone', '')],
    [at, at, undefined, undefined, undefined],
  )
  assert.equal(openMoments(undefined, 'https://example.com')('/a', Buffer.from('a')), undefined)
})

// Linux only.
const OPEN_FILES = '/proc/self/fd'

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

test('a release must have its pages and assets, and its other broken links are listed', (t) => {
  const dir = temporaryFolder(t)
  const release = { id: 'a', dir, siteDir: join(dir, 'site') }
  const own = { 'a b.pdf': '', LICENSE: '' }
  addFiles(release.siteDir, {
    'index.html': '',
    'a/b.html': '',
    '_astro/x.css': '',
    'robots.txt': '',
    ...own,
  })
  const moved = [
    { path: '/old', to: '/a/b' },
    { path: '/gone', to: null },
  ]
  for (const [file, text] of movedFiles(moved)) writeFileSync(join(release.siteDir, file), text)
  const leading = ['/', '/a/b', '/_astro/x.css', '/robots.txt', '/admin', '/api/x', '/health', '/_admin/']
  leading.push('/a%20b.pdf', '/a b.pdf', '/LICENSE')
  const leadingNowhere = ['/a', '/administration', '/healthy', '/_astro/y.css', '/x.txt', '/old']
  const leads = (target: string) => leadsSomewhere(release, target)
  assert.ok(leading.every(leads))
  assert.ok(!leadingNowhere.some(leads))
  const link = (target: string) => ({ page: '/', target })
  const links = ['/old', '/gone', '/x', '/a/b'].map(link)
  assert.deepEqual(verifyRelease(release, { pages: 2, links }), [link('/gone'), link('/x')])
  assert.throws(() => verifyRelease(release, { pages: 3, links: [] }), { code: 'pagesMissing' })
  assert.throws(() => verifyRelease(release, { pages: undefined, links: [link('/_astro/y.css')] }), {
    code: 'fileMissing',
  })
  const stillOpen = existsSync(OPEN_FILES)
    ? readdirSync(OPEN_FILES).filter((name) => linkOf(join(OPEN_FILES, name))?.startsWith(dir))
    : []
  assert.deepEqual(stillOpen, [])
  const many = Array.from({ length: 101 }, (_, index) => link(`/missing/${index}`))
  assert.equal(verifyRelease(release, { pages: undefined, links: many }).length, 100)
})

test('a whole folder is flushed', async (t) => {
  const folder = temporaryFolder(t)
  addFiles(folder, { 'a/b/c.html': 'c' })
  await flushWhole(folder)
  const { PATH } = process.env
  t.after(() => {
    process.env.PATH = PATH
  })
  process.env.PATH = ''
  await flushWhole(folder)
  await assert.rejects(flushWhole(join(folder, 'none')), { code: 'ENOENT' })
})
