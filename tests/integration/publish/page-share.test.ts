import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ledgerFile, openLedger } from '#src/publish/ledger/ledger-store.ts'
import type { PageRecord } from '#src/publish/ledger/page-record.ts'
import { listPages, savePages } from '#src/publish/ledger/page-store.ts'
import { Stage } from '#src/publish/ledger/stage-store.ts'
import { FULL, type SourceChange } from '#src/publish/plan/plan-causes.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import type { Release } from '#src/publish/release/release.ts'
import type { Templates } from '#src/publish/render/bundle.ts'
import { LocalShare } from '#src/publish/render/page-share.ts'
import type { RangeOutcome, ShareOptions } from '#src/publish/render/share-work.ts'
import { shortHash } from '#src/site/content/fingerprint.ts'
import { loadSiteContent } from '#src/site/content/site-content.ts'
import { getEntries } from '#src/site/own-pages/content.ts'
import { listPageRanges } from '#src/site/pages/list-pages.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { editEntry } from '../../support/small-edits.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const SITE_URL = 'https://example.com'
const NOON = new Date('2026-11-20T12:00:00.000Z')
const LATER = new Date('2026-11-20T13:00:00.000Z')
const LOCAL = '/services/ac-repair/austin'

/** A site, and a function that compares its pages with the last ones recorded. */
async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const places = await addPlaces(db, 'usa/texas/austin', 'usa/texas/dallas')
  const service = {
    slug: 'ac-repair',
    id: await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC' }),
  }
  const locals: number[] = []
  for (const slug of ['austin', 'dallas'])
    locals.push(await offer(db, service, { slug, id: places.get(slug) ?? 0 }, { body: `We know ${slug}.` }))
  const about = await addEntry(db, 'pages', {
    slug: 'about',
    title: 'About',
    redirectFrom: ['/us'],
    body: 'A',
  })
  const ledger = openLedger(ledgerFile(dataDir))
  t.after(() => ledger.close())
  const release = { id: 'r1', dir: dataDir, siteDir: join(dataDir, 'site') } as Release
  const rendered: string[] = []
  const templates: Templates = {
    async renderPage({ path, view }, shown) {
      rendered.push(path)
      if (path === '/about') shown?.add('Faq')
      const { title } = view.head
      return path === LOCAL ? `<h1>${title}</h1><a href="/gone">x</a><a href="/">y</a>` : `<h1>${title}</h1>`
    },
    listOwnPages: async () => [
      { path: '/prices', file: 'src/pages/prices.astro', props: {} },
      ...(await getEntries('pages')).map(({ slug, title }) => ({
        ...{ path: `/of/${slug}`, file: 'src/pages/of/[slug].astro', props: { title } },
      })),
    ],
    async renderOwnPage({ path, props }, siteUrl) {
      rendered.push(path)
      if (path !== '/prices') return `<h1>${props.title}</h1>`
      return `${siteUrl} ${(await getEntries('services')).map(({ title }) => title).join()}<a href="/lost">`
    },
  }
  async function compare(options: Partial<ShareOptions> = {}, { now = NOON, own = false } = {}) {
    const content = await loadSiteContent(db, { siteUrl: SITE_URL, now })
    const all = {
      ...{ templateFingerprint: 't1', full: false, previous: release, unknown: undefined, changes: [] },
      ...{ ledgerFile: ledger.name, readsFiles: false, rendered: [], siteDir: release.siteDir, ...options },
    }
    rendered.length = 0
    const share = new LocalShare({ db, content, ledger }, all, async () => templates)
    const outcomes: RangeOutcome[] = own ? [await share.range({ kind: 'own' })] : []
    for (const range of await listPageRanges(db, content)) outcomes.push(await share.range(range))
    await share.finish()
    const pages = outcomes.flatMap((outcome) => outcome.pages)
    const of = (path: string) => pages.find(({ record }) => record.path === path)
    /** The pages in this state. */
    const inState = (...states: string[]) =>
      pages.filter(({ state }) => states.includes(state)).map(({ record }) => record.path)
    return { outcomes, pages, of, inState, rendered: [...rendered] }
  }
  /** Compares them, and records them as those of the live release. */
  async function record(...args: Parameters<typeof compare>) {
    const found = await compare(...args)
    for (const table of ['staged', 'reasons', 'page_reasons', 'links', 'qualities', 'drawings'])
      ledger.exec(`drop table if exists temp.${table}`)
    const stage = new Stage(ledger)
    for (const outcome of found.outcomes) stage.add(outcome)
    savePages(ledger)
    return found
  }
  const known = () => new Map([...listPages(ledger)].map((page) => [page.path, page]))
  const fileOf = (path: string) => join(release.siteDir, pageFile(path))
  return { db, dataDir, service, locals, about, release, compare, record, known, fileOf }
}

test('each page is rendered into its file, with its record', async (t) => {
  const { record, locals, about, fileOf, service } = await aSite(t)
  const { pages, outcomes, rendered, of, inState } = await record()
  assert.deepEqual(inState('added').length, pages.length)
  assert.deepEqual(rendered.toSorted(), pages.map((page) => page.record.path).toSorted())
  for (const path of ['/', '/about', LOCAL, '/404']) assert.ok(rendered.includes(path), path)
  assert.ok(pages.every(({ isWritten }) => isWritten))
  const html = readFileSync(fileOf(LOCAL))
  const local = of(LOCAL)?.record as PageRecord
  assert.deepEqual([local.size, local.bytesHash], [html.length, shortHash(html)])
  assert.deepEqual([local.modifiedAt, local.entryId, local.reads], ['2026-11-20T12:00:00Z', locals[0], null])
  assert.equal(local.key.startsWith(`place:${service.id}:`), true)
  assert.ok(local.frame && local.ownText && local.picture)
  assert.notEqual(local.quality, '00000000')
  const plain = of('/about')?.record as PageRecord
  assert.deepEqual([plain.entryId, plain.ownText, plain.quality], [about, null, '00000000'])
  assert.match(plain.former ?? '', /"\/us"/)
  assert.deepEqual([local.former, plain.isListed, of('/404')?.record.isListed], [null, true, false])
  const fixed = of('/')?.record as PageRecord
  assert.deepEqual([fixed.entryId, fixed.frame, fixed.ownText], [null, null, null])
  assert.equal(fixed.own, '0000000000000000')
  assert.notEqual(plain.own, fixed.own)
  assert.ok(pages.every(({ record }) => record.part >= 0 && record.part < 65_536))
  const links = outcomes.flatMap((outcome) => outcome.links)
  assert.deepEqual(links, [
    { page: LOCAL, target: '/gone' },
    { page: LOCAL, target: '/' },
  ])
  const qualities = outcomes.flatMap((outcome) => outcome.qualities)
  assert.deepEqual(qualities.map(({ entryId }) => entryId).toSorted(), locals.toSorted())
  assert.equal(
    outcomes.reduce((sum, { quality }) => sum + quality.pages, 0),
    2,
  )
  const pictures = outcomes.flatMap((outcome) => outcome.pictures.map(({ path }) => path))
  assert.equal(new Set(pictures).size, pictures.length)
  assert.deepEqual(
    of('/about')?.causes.map(({ key }) => key),
    ['entries_added:pages'],
  )
})

test('a page that can’t differ is not rendered again', async (t) => {
  const { db, record, compare, known, about, fileOf } = await aSite(t)
  const { pages } = await record()
  const before = known()
  const same = await compare({}, { now: LATER })
  assert.deepEqual([same.rendered, same.inState('unchanged').length], [[], pages.length])
  assert.deepEqual(new Map(same.pages.map((page) => [page.record.path, page.record])), before)
  assert.ok(same.pages.every(({ isWritten, causes }) => !isWritten && causes.length === 0))
  assert.deepEqual(
    same.outcomes.flatMap(({ qualities, links }) => [...qualities, ...links]),
    [],
  )

  await editEntry(db, about, { body: 'B' })
  const edited = await compare({}, { now: LATER })
  assert.deepEqual(edited.rendered, ['/about'])
  const page = edited.of('/about')
  // Its bytes are the same, which only rendering can tell.
  assert.deepEqual([page?.state, page?.isWritten], ['same', false])
  assert.deepEqual(
    page?.causes.map(({ key }) => key),
    ['entries_edited:pages'],
  )
  assert.equal(page?.record.modifiedAt, '2026-11-20T12:00:00Z')
  assert.notEqual(page?.record.fingerprint, before.get('/about')?.fingerprint)
  await editEntry(db, about, { title: 'About us' })
  const renamed = (await record({}, { now: LATER })).of('/about')
  assert.deepEqual([renamed?.state, renamed?.isWritten], ['changed', true])
  assert.equal(renamed?.record.modifiedAt, '2026-11-20T13:00:00Z')
  assert.equal(readFileSync(fileOf('/about'), 'utf8').includes('About us'), true)
})

test('a page without an intact file of the live release is rendered again', async (t) => {
  const { record, compare, fileOf, known } = await aSite(t)
  await record()
  const { size = 0 } = known().get('/about') ?? {}
  writeFileSync(fileOf('/about'), 'x'.repeat(size))
  assert.deepEqual((await compare()).rendered, [])
  const read = await compare({ readsFiles: true })
  assert.deepEqual(read.rendered, ['/about'])
  assert.deepEqual([read.of('/about')?.state, read.of('/about')?.isWritten], ['same', true])
  assert.deepEqual((await compare({ readsFiles: true })).rendered, [])
  rmSync(fileOf(LOCAL))
  const missing = await compare()
  assert.deepEqual(missing.rendered, [LOCAL])
  assert.equal(statSync(fileOf(LOCAL)).size, missing.of(LOCAL)?.record.size)
  assert.deepEqual((await compare({ previous: undefined })).inState('same').length, missing.pages.length)
})

test('a full comparison renders every page, and other templates render each that shows them', async (t) => {
  const { record, compare } = await aSite(t)
  const { pages } = await record()
  const full = await compare({ full: true, changes: [FULL] }, { now: LATER })
  assert.deepEqual([full.rendered.length, full.inState('same').length], [pages.length, pages.length])
  assert.ok(full.pages.every(({ isWritten, causes }) => isWritten && causes[0] === FULL))
  assert.equal(full.outcomes.flatMap(({ qualities }) => qualities).length, 2)
  assert.equal((await compare({ templateFingerprint: 't2' })).rendered.length, pages.length)

  const parts = { 'component:Faq': 'a', 'component:Steps': '' }
  const first = await record({ templateParts: parts })
  assert.equal(first.rendered.length, pages.length, 'it is unknown what they show')
  assert.deepEqual([first.of('/about')?.record.reads, first.of('/')?.record.reads], ['10', '00'])
  assert.deepEqual((await compare({ templateParts: parts })).rendered, [])
  assert.deepEqual((await compare({ templateParts: { ...parts, 'component:Faq': 'b' } })).rendered, [
    '/about',
  ])
  assert.deepEqual((await compare({ templateParts: { ...parts, 'component:Steps': 'b' } })).rendered, [])
})

test('pages are compared without folder, without causes, or with those of a shard', async (t) => {
  const { dataDir, db, about, record, compare, fileOf } = await aSite(t)
  const plan = await compare({ siteDir: undefined })
  assert.deepEqual([plan.rendered, plan.inState('added').length], [[], plan.pages.length])
  const { record: planned } = plan.of('/about') ?? {}
  assert.deepEqual(
    [planned?.size, planned?.bytesHash, planned?.modifiedAt, planned?.reads],
    [0, '0000000000000000', '2026-11-20T12:00:00Z', null],
  )
  assert.ok(plan.pages.every(({ isWritten }) => !isWritten))
  assert.equal(existsSync(fileOf('/about')), false)

  const few = await compare({ onlyPages: true })
  assert.deepEqual(
    few.outcomes.flatMap(({ links }) => links),
    [],
  )
  assert.ok(few.pages.every(({ causes, isWritten }) => causes.length === 0 && isWritten))
  await record()
  await editEntry(db, about, { body: 'B' })
  assert.deepEqual((await compare({ onlyPages: true })).of('/about')?.causes, [])

  const shard = join(dataDir, 'shard')
  const rendered = Buffer.from('<h1>From elsewhere</h1><a href="/shard">')
  mkdirSync(dirname(join(shard, 'site', pageFile('/about'))), { recursive: true })
  writeFileSync(join(shard, 'site', pageFile('/about')), rendered)
  const other = openLedger(ledgerFile(shard))
  const { fingerprint = '' } = (await compare()).of('/about')?.record ?? {}
  other
    .prepare(
      `insert into pages values ('/about', 'k', ?, 'o', ?, ?, 'm', 'q', 1, null, null, null, null, null, null, 0)`,
    )
    .run(fingerprint, shortHash(rendered), rendered.length)
  other.close()
  const taken = await compare({ rendered: [shard] })
  assert.deepEqual([taken.rendered, taken.of('/about')?.state], [[], 'changed'])
  assert.equal(readFileSync(fileOf('/about'), 'utf8'), `${rendered}`)
  assert.deepEqual(
    taken.outcomes.flatMap(({ links }) => links),
    [{ page: '/about', target: '/shard' }],
  )
})

test('a page keeps the time of an unknown release whose file has the same bytes', async (t) => {
  const { dataDir, compare, fileOf } = await aSite(t)
  await compare()
  const unknown = { id: 'r0', dir: dataDir, siteDir: join(dataDir, 'site') } as Release
  const entry = (path: string) =>
    `<url><loc>${SITE_URL}${path}</loc><lastmod>2026-01-01T00:00:00Z</lastmod></url>`
  writeFileSync(join(unknown.siteDir, 'sitemap-0.xml'), entry('/about') + entry(LOCAL))
  writeFileSync(fileOf(LOCAL), 'other')
  const found = await compare(
    { unknown, previous: undefined, siteDir: join(dataDir, 'next') },
    { now: LATER },
  )
  const moments = ['/about', LOCAL, '/'].map((path) => found.of(path)?.record.modifiedAt)
  assert.deepEqual(moments, ['2026-01-01T00:00:00Z', '2026-11-20T13:00:00Z', '2026-11-20T13:00:00Z'])
})

test('own pages are rendered, and their reads recorded', async (t) => {
  const { db, service, about, record, compare, fileOf } = await aSite(t)
  const first = await record({}, { own: true })
  const page = first.of('/prices')
  assert.deepEqual(
    [page?.state, page?.isWritten, page?.record.reads, page?.record.key],
    ['added', true, '["entries:services"]', 'own:/prices'],
  )
  assert.equal(readFileSync(fileOf('/prices'), 'utf8'), `${SITE_URL} AC<a href="/lost">`)
  const [outcome] = first.outcomes
  assert.deepEqual(outcome?.links, [{ page: '/prices', target: '/lost' }])
  assert.deepEqual(first.of('/of/about')?.record.reads, '[]')
  assert.deepEqual(
    outcome?.reads.map(({ key }) => key),
    ['own:entries:pages', 'own:entries:services'],
  )
  assert.deepEqual((await compare({}, { own: true })).rendered, [])
  rmSync(fileOf('/prices'))
  assert.deepEqual((await compare({}, { own: true })).rendered, ['/prices'])
  const plan = await compare({ siteDir: undefined }, { own: true })
  assert.deepEqual([plan.rendered, plan.of('/of/about')?.state], [[], 'unchanged'])
  const sourceOf = (key: string): SourceChange => ({ key, cause: { code: 'templates' } })
  const changes = [sourceOf('own:entries:pages'), sourceOf('own:entries:services')]
  const keysOf = (path: string, found: Awaited<ReturnType<typeof compare>>) =>
    found.of(path)?.causes.map(({ key }) => key)
  await editEntry(db, about, { title: 'About us' })
  const retitled = await compare({ changes }, { own: true })
  const ofOwn = retitled.rendered.filter((path) => path === '/prices' || path.startsWith('/of/'))
  assert.deepEqual(ofOwn, ['/of/about'])
  // What listed it is a cause, because its props come from there.
  assert.deepEqual(keysOf('/of/about', retitled), ['own:entries:pages'])
  await editEntry(db, service.id, { title: 'Cooling' })
  const changed = await compare({ changes }, { own: true })
  assert.deepEqual([changed.of('/prices')?.state, changed.of('/prices')?.isWritten], ['changed', true])
  assert.deepEqual(keysOf('/prices', changed), ['own:entries:services'])
  const planned = (await compare({ siteDir: undefined, changes }, { own: true })).of('/prices')
  assert.deepEqual([planned?.state, planned?.record.reads], ['changed', '["entries:services"]'])
  const other = { templateParts: { 'page:src/pages/prices.astro': 'b' } }
  assert.ok((await compare(other, { own: true })).rendered.includes('/prices'))
})
