import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  findFile,
  listFiles,
  listFilesBelow,
  listOwnSources,
  listSitemaps,
  listSources,
  openSources,
  saveFiles,
  saveSitemaps,
  saveSources,
} from '#src/publish/ledger/file-store.ts'
import { openFormerPages } from '#src/publish/ledger/former-pages-store.ts'
import { applyRows, type LedgerRow, listRowsSince } from '#src/publish/ledger/ledger-rows.ts'
import {
  beginRelease,
  findBase,
  knowsRelease,
  type Ledger,
  ledgerFile,
  listChangesSince,
  openLedger,
  openPlanLedger,
  type ReleaseFacts,
  readFacts,
  readFactsOf,
  saveFacts,
  withLedger,
} from '#src/publish/ledger/ledger-store.ts'
import { readNewest, readPages, readRecords } from '#src/publish/ledger/newest-release.ts'
import {
  listEntriesFrom,
  listListed,
  listOwnTexts,
  listPages,
  listPicturePaths,
  listUnusedPictures,
  openKnownPages,
  savePages,
} from '#src/publish/ledger/page-store.ts'
import { Stage } from '#src/publish/ledger/stage-store.ts'
import type { SourceChange } from '#src/publish/plan/plan-causes.ts'
import { checkApproved, hashPages } from '#src/publish/previews/page-hashes.ts'
import { emptyOutcome, type RangeOutcome, type StagedPage } from '#src/publish/render/share-work.ts'
import type { SharePicture } from '#src/site/pages/share-picture.ts'
import type { PageQuality } from '#src/site/quality/page-quality.ts'
import { temporaryFolder } from '../../support/database.ts'
import { aRecord, aStagedPage } from '../../support/live-release.ts'

const factsOf = (shownAt: string) => ({ shownAt }) as ReleaseFacts

function aLedger(t: TestContext) {
  const dataDir = temporaryFolder(t)
  const ledger = openLedger(ledgerFile(dataDir))
  t.after(() => ledger.close())
  return { dataDir, ledger }
}

/** Stages pages without recording them. */
function stageOf(ledger: Ledger, pages: StagedPage[], others: Partial<RangeOutcome> = {}): Stage {
  for (const table of ['staged', 'reasons', 'page_reasons', 'links', 'qualities', 'drawings'])
    ledger.exec(`drop table if exists temp.${table}`)
  const stage = new Stage(ledger)
  stage.add({ ...emptyOutcome(), pages, ...others })
  return stage
}

/** Records a release with exactly these pages. */
function record(
  ledger: Ledger,
  id: string,
  pages: Parameters<typeof aRecord>[0][],
  { kept = ['a', 'b', 'c', 'd'], more = () => {} }: { kept?: string[]; more?: () => void } = {},
) {
  const writing = beginRelease(ledger)
  const stage = stageOf(
    ledger,
    pages.map((page) => aStagedPage(page)),
  )
  stage.findRemoved()
  savePages(ledger)
  more()
  writing.commit({ id, facts: factsOf(id) }, kept)
}

const pathsIn = (ledger: Ledger) => [...listPages(ledger)].map(({ path }) => path)

test('compared pages are counted, and their differences listed by address', (t) => {
  const { ledger } = aLedger(t)
  const old = { size: 50, isListed: true }
  record(ledger, 'a', [
    { path: '/gone', ...old, part: 7, picture: '/og/gone.png', entryId: 9 },
    { path: '/home', ...old, part: 1, picture: '/og/home.png' },
    { path: '/other', ...old, part: 2, picture: '/og/other.png' },
    { path: '/same', ...old, part: 3 },
  ])
  const place: SourceChange = {
    key: 'term:1',
    cause: { code: 'source_edited', params: { kind: 'place', name: 'Austin' } },
  }
  const page: SourceChange = {
    key: 'entries_added:pages',
    cause: { code: 'entries_added', params: { type: { slug: 'pages', name: 'Pages' } } },
  }
  const stage = stageOf(ledger, [
    aStagedPage({ path: '/new', size: 10, entryId: 4, isListed: false }, { causes: [page] }),
    aStagedPage(
      { path: '/home', size: 20, part: 1, bytesHash: 'h2' },
      { state: 'changed', causes: [place], isWritten: true },
    ),
    aStagedPage(
      { path: '/other', size: 50, part: 2, picture: '/og/other.png' },
      { state: 'same', causes: [place], isWritten: false },
    ),
    aStagedPage({ path: '/same', size: 50, part: 3 }, { state: 'unchanged', isWritten: false }),
    aStagedPage({ path: '/feed.xml', size: 5, reads: '[]' }, { state: 'unchanged', isWritten: false }),
    aStagedPage({ path: '/own', size: 5, reads: '[]' }, { state: 'unchanged', isWritten: false }),
    aStagedPage({ path: '/plain.txt', size: 5 }, { state: 'unchanged', isWritten: false }),
  ])
  assert.deepEqual(stage.findRemoved(), [{ path: '/gone', key: 'page:/gone' }])
  stage.explain('/gone', [place])
  assert.deepEqual(stage.listRemoved(), [{ path: '/gone', key: 'page:/gone' }])
  assert.deepEqual(stage.count(), {
    ...{ added: 1, changed: 1, removed: 1, unchanged: 5, renderedSame: 1 },
    bytes: 10 + 20 + 50 + 50 + 5 + 5 + 5,
  })
  assert.equal(stage.countOtherFiles(), 1)
  assert.deepEqual(stage.countBefore(), { pages: 4, bytes: 200, listed: 4 })
  assert.deepEqual(stage.countNow(), { pages: 7, bytes: 145, listed: 6 })
  assert.deepEqual(stage.listMovedParts().toSorted(), [0, 7])
  assert.deepEqual(stage.listLeftPictures().toSorted(), ['/og/gone.png', '/og/home.png'])
  const changes = [...stage.listChanges()]
  assert.deepEqual(changes, [
    { change: 'removed', path: '/gone', key: 'page:/gone', bytesHash: null, causes: ['term:1'] },
    { change: 'changed', path: '/home', key: 'page:/home', bytesHash: 'h2', causes: ['term:1'] },
    { change: 'added', path: '/new', key: 'page:/new', bytesHash: 'b', causes: ['entries_added:pages'] },
    { change: 'same', path: '/other', key: 'page:/other', bytesHash: 'b', causes: ['term:1'] },
  ])
  assert.deepEqual(stage.listCauses(), [
    { ...place, pages: 3 },
    {
      ...{ key: page.key, pages: 1, page: '/new', entryId: 4 },
      cause: { code: 'page_added', params: { path: '/new' } },
    },
  ])
  assert.deepEqual(
    ['/home', '/gone', '/other', '/none'].map((path) => stage.isTouched(path)),
    [true, true, false, false],
  )
  assert.ok(stage.movesAddresses())

  const made = hashPages(changes)
  assert.equal(hashPages(changes.filter(({ change }) => change !== 'same')), made)
  assert.notEqual(hashPages(changes.slice(1)), made)
  for (const other of [{ path: '/x' }, { bytesHash: 'x' }, { change: 'added' as const }])
    assert.notEqual(hashPages([...changes.slice(1), { ...changes[0], ...other } as never]), made)
  checkApproved(undefined, changes)
  const approved = { pagesHash: made } as Parameters<typeof checkApproved>[0]
  checkApproved(approved, changes)
  assert.throws(() => checkApproved(approved, changes.slice(1)), { code: 'notApproved' })
})

test('addresses move with pages that are new, gone, or have another subject or former addresses', (t) => {
  const { ledger } = aLedger(t)
  record(ledger, 'a', [{ path: '/a' }, { path: '/b', former: '["/c"]' }])
  const [a, b] = [aStagedPage({ path: '/a' }), aStagedPage({ path: '/b', former: '["/c"]' })]
  const moves = (...pages: StagedPage[]) => {
    const stage = stageOf(
      ledger,
      pages.map((page) => ({ ...page, state: page.state === 'added' ? 'unchanged' : page.state })),
    )
    stage.findRemoved()
    return stage.movesAddresses()
  }
  assert.equal(moves(a, b), false)
  assert.equal(moves(a), true)
  assert.equal(moves(a, { ...b, record: { ...b.record, key: 'entry:9' } }), true)
  assert.equal(moves(a, { ...b, record: { ...b.record, former: null } }), true)
  const added = stageOf(ledger, [a, b, aStagedPage({ path: '/d' })])
  assert.equal(added.movesAddresses(), true)
})

test('two pages with one address are refused', (t) => {
  const { ledger } = aLedger(t)
  const stage = stageOf(ledger, [aStagedPage({ path: '/a' })])
  assert.throws(() => stage.add({ ...emptyOutcome(), pages: [aStagedPage({ path: '/a' })] }), { path: '/a' })
})

test('links, qualities, and pictures of all ranges are collected', (t) => {
  const { ledger } = aLedger(t)
  const picture = (path: string) => ({ path, alt: path, drawing: {} }) as unknown as SharePicture
  const quality = (entryId: number) => ({ entryId }) as PageQuality
  const many = Array.from({ length: 2_001 }, (_, index) => quality(index))
  const stage = stageOf(ledger, [], {
    links: [
      { page: '/a', target: '/x' },
      { page: '/a', target: '/y' },
    ],
    ...{ qualities: many, pictures: [picture('/og/a.png')] },
  })
  stage.add({
    ...emptyOutcome(),
    links: [{ page: '/b', target: '/x' }],
    pictures: [picture('/og/a.png'), picture('/og/b.png')],
  })
  assert.deepEqual(
    [...stage.listLinks()],
    [
      { page: '/a', target: '/x' },
      { page: '/a', target: '/y' },
    ],
  )
  assert.deepEqual(stage.listDrawings(), [picture('/og/a.png'), picture('/og/b.png')])
  assert.deepEqual([...stage.listQualities()], many)
})

test('pages are looked up by address, entry, sitemap, and picture', (t) => {
  const { dataDir, ledger } = aLedger(t)
  assert.deepEqual(
    [openKnownPages(ledger).find('/a'), openKnownPages(ledger).findOf(3)],
    [undefined, undefined],
  )
  const a = aRecord({ path: '/a', entryId: 3, part: 10, picture: '/og/a.png', ownText: '["x"]' })
  const b = aRecord({ path: '/b', entryId: 5, part: 20, isListed: false, ownText: '["y"]' })
  const c = aRecord({ path: '/c', part: 30, picture: '/og/a.png', ownText: '["z"]' })
  record(ledger, 'a', [c, b, a])
  assert.deepEqual([...listPages(ledger)], [a, b, c])
  const known = openKnownPages(ledger)
  assert.deepEqual(
    [known.find('/b'), known.findOf(3), known.find('/x'), known.findOf(9)],
    [b, a, undefined, undefined],
  )
  assert.deepEqual(listEntriesFrom(ledger, { from: 4, limit: 9 }), [5])
  assert.deepEqual(listEntriesFrom(ledger, { from: 3, limit: 1 }), [3])
  assert.deepEqual(
    [...listOwnTexts(ledger)],
    [
      [3, '["x"]'],
      [5, '["y"]'],
    ],
  )
  const listed = (from: number, to: number) => listListed(ledger, { from, to }).map(({ path }) => path)
  assert.deepEqual([listed(10, 30), listed(10, 31), listed(11, 99)], [['/a'], ['/a', '/c'], ['/c']])
  assert.deepEqual(listUnusedPictures(ledger, ['/og/a.png', '/og/b.png']), ['/og/b.png'])
  assert.deepEqual(listPicturePaths(ledger), ['/og/a.png'])
  assert.deepEqual(readPages(dataDir), [a, b, c])
  assert.deepEqual(readNewest(dataDir), { pages: [a, b, c], files: [] })
  assert.deepEqual(readRecords(dataDir, { id: 'a' })?.pages.length, 3)
  assert.equal(readRecords(dataDir, { id: 'b' }), undefined)
  assert.equal(readRecords(join(dataDir, 'none'), { id: 'a' }), undefined)
})

test('files, sources, and sitemaps are replaced where they differ', (t) => {
  const { ledger } = aLedger(t)
  const file = (name: string, hash = '', size = 1) => ({ file: name, hash, size })
  saveFiles(ledger, { written: [file('a.css'), file('b/c.js', 'h', 2), file('b/d.js')], removed: [] })
  saveFiles(ledger, { written: [file('a.css', 'new', 3)], removed: ['b/d.js', 'none'] })
  assert.deepEqual(listFiles(ledger), [file('a.css', 'new', 3), file('b/c.js', 'h', 2)])
  assert.deepEqual([findFile(ledger, 'a.css'), findFile(ledger, 'x')], [file('a.css', 'new', 3), undefined])
  assert.deepEqual(listFilesBelow(ledger, 'b/'), ['b/c.js'])

  const source = (key: string, hash: string, label = key) => ({ key, hash, label })
  const list = () =>
    [...listSources(ledger).values()].map(({ key, hash, label }) => `${key} ${hash} ${label}`)
  saveSources(ledger, [source('own:a', '1'), source('term:1', '1'), source('term:2', '1')], { isWhole: true })
  saveSources(ledger, [source('term:1', '2'), source('term:3', '1')], { isWhole: false })
  assert.deepEqual(list(), ['own:a 1 own:a', 'term:1 2 term:1', 'term:2 1 term:2', 'term:3 1 term:3'])
  assert.deepEqual([...listOwnSources(ledger).keys()], ['own:a'])
  saveSources(ledger, [source('term:1', '2', 'Austin')], { isWhole: true })
  assert.deepEqual(list(), ['term:1 2 Austin'])
  const find = openSources(ledger)
  assert.deepEqual([find('term:1'), find('term:2')], [source('term:1', '2', 'Austin'), undefined])

  saveSitemaps(
    ledger,
    new Map([
      ['/a.xml', '1'],
      ['/b.xml', '1'],
    ]),
  )
  saveSitemaps(
    ledger,
    new Map([
      ['/b.xml', '2'],
      ['/c.xml', '1'],
    ]),
  )
  assert.deepEqual(
    [...listSitemaps(ledger)],
    [
      ['/b.xml', '2'],
      ['/c.xml', '1'],
    ],
  )
  record(ledger, 'a', [])
  const writing = beginRelease(ledger)
  saveSitemaps(ledger, new Map(listSitemaps(ledger)).set('/c.xml', '2'))
  assert.deepEqual(
    [...listRowsSince(ledger, 'a')].map(({ key }) => key),
    ['/c.xml'],
  )
  writing.undo()
})

test('the ledger goes back to an earlier release, and forward from it', (t) => {
  const { ledger } = aLedger(t)
  assert.equal(findBase(ledger, undefined), undefined)
  record(ledger, 'a', [{ path: '/a' }, { path: '/b', size: 1 }])
  record(ledger, 'b', [{ path: '/b', size: 2 }, { path: '/c' }])
  record(ledger, 'c', [
    { path: '/a', size: 9 },
    { path: '/b', size: 3 },
  ])
  assert.deepEqual(listChangesSince(ledger, 'a').pages.toSorted(), ['/a', '/b', '/c'])
  assert.deepEqual(listChangesSince(ledger, 'b').pages.toSorted(), ['/a', '/b', '/c'])
  assert.deepEqual(listChangesSince(ledger, 'c'), { pages: [], files: [] })
  assert.deepEqual(listChangesSince(ledger, undefined).pages, ['/a', '/b'])
  assert.deepEqual(readFacts(ledger, { id: 'c' }), factsOf('c'))
  assert.equal(readFacts(ledger, { id: 'a' }), undefined)
  assert.deepEqual(readFactsOf(ledger, { id: 'a' }), { number: 1, facts: factsOf('a') })
  assert.equal(readFactsOf(ledger, { id: 'x' }), undefined)
  assert.deepEqual(findBase(ledger, { id: 'c' }), factsOf('c'))
  assert.deepEqual(pathsIn(ledger), ['/a', '/b'])

  assert.deepEqual(findBase(ledger, { id: 'a' }), factsOf('a'))
  const sizes = () => [...listPages(ledger)].map(({ path, size }) => [path, size])
  assert.deepEqual(sizes(), [
    ['/a', 100],
    ['/b', 1],
  ])
  assert.deepEqual(readFactsOf(ledger, { id: 'a' })?.number, 4)
  record(ledger, 'd', [{ path: '/a' }])
  assert.deepEqual(findBase(ledger, { id: 'b' }), factsOf('b'))
  assert.deepEqual(sizes(), [
    ['/b', 2],
    ['/c', 100],
  ])
  saveFacts(ledger, { id: 'b' }, factsOf('new'))
  assert.deepEqual(readFacts(ledger, { id: 'b' }), factsOf('new'))

  assert.equal(findBase(ledger, { id: 'unknown' }), undefined)
  assert.deepEqual([pathsIn(ledger), knowsRelease(ledger, 'a')], [[], false])
})

test('a release that is undone, or is no longer kept, leaves nothing', (t) => {
  const { ledger } = aLedger(t)
  record(ledger, 'a', [{ path: '/a' }])
  const writing = beginRelease(ledger)
  saveFiles(ledger, { written: [{ file: 'a.css', hash: '', size: 1 }], removed: [] })
  writing.undo()
  assert.deepEqual([listFiles(ledger), knowsRelease(ledger, 'b')], [[], false])
  record(ledger, 'b', [{ path: '/b' }])
  const committed = beginRelease(ledger)
  committed.commit({ id: 'c', facts: factsOf('c') }, ['b', 'c'])
  committed.undo()
  const known = ['a', 'b', 'c'].map((id) => knowsRelease(ledger, id))
  assert.deepEqual(known, [false, true, true])
  const former = ledger.prepare('select count(*) from former').pluck()
  assert.equal(former.get(), 0)
})

test('entries of an earlier release are found among later changes', (t) => {
  const { ledger } = aLedger(t)
  const source = (key: string) => ({ key, hash: 'a', label: key })
  record(
    ledger,
    'a',
    [
      { path: '/a', entryId: 1 },
      { path: '/b', entryId: 2 },
      { path: '/c', entryId: 3 },
    ],
    {
      more: () => saveSources(ledger, [source('service:5'), source('testimonial:6')], { isWhole: true }),
    },
  )
  record(
    ledger,
    'b',
    [
      { path: '/b', entryId: 4 },
      { path: '/c', entryId: 3, size: 9 },
      { path: '/d', entryId: 7 },
    ],
    {
      more: () => saveSources(ledger, [source('testimonial:6'), source('service:8')], { isWhole: true }),
    },
  )
  record(ledger, 'c', [{ path: '/c', entryId: 9 }], {})
  const listed = (number: number) => [
    ...openFormerPages(ledger, number).listEntries([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
  ]
  assert.deepEqual(listed(1), [1, 2, 3, 5, 6])
  assert.deepEqual(listed(2), [3, 4, 6, 7, 8])
  assert.deepEqual(listed(3), [6, 8, 9])
})

test('rows that changed since a release bring another ledger to the same state', (t) => {
  const { ledger } = aLedger(t)
  const other = aLedger(t).ledger
  const css = { file: 'a.css', hash: '', size: 1 }
  record(ledger, 'a', [{ path: '/a' }, { path: '/b' }], {
    more: () => saveFiles(ledger, { written: [css], removed: [] }),
  })
  const take = (id: string, rows: Iterable<LedgerRow>) => {
    const writing = beginRelease(other)
    applyRows(other, rows)
    writing.commit({ id, facts: factsOf(id) }, ['a', 'b'])
  }
  const all = [...listRowsSince(ledger, undefined)]
  assert.deepEqual(
    all.map(({ source, key }) => [source, key]),
    [
      ['pages', '/a'],
      ['pages', '/b'],
      ['files', 'a.css'],
    ],
  )
  take('a', all)
  record(ledger, 'b', [{ path: '/b', size: 7 }, { path: '/c' }], {
    more: () => saveFiles(ledger, { written: [], removed: ['a.css'] }),
  })
  const since = [...listRowsSince(ledger, 'a')]
  assert.deepEqual(since.map(({ source, key, row }) => [source, key, row !== null]).toSorted(), [
    ['files', 'a.css', false],
    ['pages', '/a', false],
    ['pages', '/b', true],
    ['pages', '/c', true],
  ])
  take('b', since)
  assert.deepEqual([...listPages(other)], [...listPages(ledger)])
  assert.deepEqual(listFiles(other), [])
})

test('a damaged ledger is replaced, and one for a plan is never changed', async (t) => {
  const { dataDir, ledger } = aLedger(t)
  record(ledger, 'a', [{ path: '/a' }])
  const dir = temporaryFolder(t)
  const planned = openPlanLedger(dataDir, dir, { id: 'a' })
  planned.exec('delete from pages')
  planned.close()
  assert.deepEqual(pathsIn(ledger), ['/a'])
  for (const release of [undefined, { id: 'b' }]) {
    const empty = openPlanLedger(dataDir, dir, release)
    assert.deepEqual(pathsIn(empty), [])
    empty.close()
  }
  const none = openPlanLedger(join(dataDir, 'none'), dir, { id: 'a' })
  none.close()

  const damaged = temporaryFolder(t)
  writeFileSync(
    ledgerFile(damaged),
    'This is not a database, though long enough for its header to be read.'.repeat(20),
  )
  assert.deepEqual(await withLedger(damaged, async (one) => pathsIn(one)), [])
  const failing = withLedger(dataDir, () => Promise.reject(new Error('no disk')))
  await assert.rejects(failing, { message: 'no disk' })
})

test('an index alone answers which pages a sitemap lists, also in a ledger of an earlier version', async (t) => {
  const { dataDir, ledger } = aLedger(t)
  record(ledger, 'a', [{ path: '/b' }, { path: '/a' }])
  ledger.exec('drop index pages_listed; create index pages_by_part on pages (part) where is_listed = 1')
  await withLedger(dataDir, async (one) => {
    const asked: string[] = []
    const prepare = (sql: string) => one.prepare(asked[asked.push(sql) - 1] ?? '')
    const listed = listListed({ prepare } as Ledger, { from: 0, to: 2 ** 16 })
    assert.deepEqual(
      listed.map(({ path }) => path),
      ['/a', '/b'],
    )
    const plan = one.prepare<[number, number], { detail: string }>(`explain query plan ${asked[0]}`).all(0, 1)
    assert.match(plan[0]?.detail ?? '', /using covering index pages_listed/i)
    const left = one.prepare("select 1 from sqlite_master where name = 'pages_by_part'").get()
    assert.equal(left, undefined)
  })
})
