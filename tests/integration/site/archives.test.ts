import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { replaceEntryTerms } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { publishSite } from '#src/publish/publish-site.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import type { ArchiveView } from '#src/site/pages/archive-pages.ts'
import { listPages } from '#src/site/pages/list-pages.ts'
import type { Page } from '#src/site/pages/page.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { findTaxonomy, insertTerms } from '#src/taxonomies/taxonomy-store.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const siteUrl = 'https://example.com'
/** As many words of its own as a page needs to be listed. */
const WORDS = Array.from(
  { length: 60 },
  (_, index) => `word${'abcdefghij'[index % 10]}${'klmnopqrst'[Math.floor(index / 10)]}`,
).join(' ')

// AC repair in Austin, of the category cooling below home services; a draft in the same category.
async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const places = await addPlaces(db, 'usa/texas/austin')
  const id = await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC repair' })
  const draft = await addEntry(db, 'services', { slug: 'drains', title: 'Drains', status: 'draft' })
  const place = (slug: string) => ({ slug, id: places.get(slug) as number })
  const pair = await offer(db, { slug: 'ac-repair', id }, place('austin'))
  const categories = await findTaxonomy(db, 'service_categories')
  assert.ok(categories)
  const add = async (slug: string, name: string, parentId: number | null) =>
    (await insertTerms(db, categories.id, [{ slug, name, description: null, parentId, position: 0 }])).get(
      slug,
    ) as number
  const home = await add('home', 'Home services', null)
  const cooling = await add('cooling', 'Cooling', home)
  await add('empty', 'Empty', null)
  const services = await findContentType(db, 'services')
  await replaceEntryTerms(
    db,
    services?.id as number,
    new Map([
      [id, [cooling]],
      [draft, [cooling]],
    ]),
  )
  const switchArchive = (slug: string, has_archive: 0 | 1) =>
    db.updateTable('taxonomies').set({ has_archive }).where('slug', '=', slug).execute()
  return { db, switchArchive, place, draft, pair }
}

async function archivesOf({ db }: Pick<Awaited<ReturnType<typeof aSite>>, 'db'>) {
  const pages = new Map<string, Page<ArchiveView>>()
  for await (const page of listPages(db, { siteUrl }))
    if (page.path.startsWith('/taxonomy')) pages.set(page.path, page as Page<ArchiveView>)
  return pages
}

test('§1.7 only a taxonomy that an administrator opted in has archive pages', async (t) => {
  const site = await aSite(t)
  assert.equal((await archivesOf(site)).size, 0)
  await site.switchArchive('service_categories', 1)
  assert.deepEqual([...(await archivesOf(site)).keys()].sort(), [
    '/taxonomy/service_categories',
    '/taxonomy/service_categories/cooling',
    '/taxonomy/service_categories/empty',
    '/taxonomy/service_categories/home',
  ])
})

test('a term’s archive links to its entries and to the terms below it', async (t) => {
  const site = await aSite(t)
  await site.switchArchive('service_categories', 1)
  const archives = await archivesOf(site)
  const cooling = archives.get('/taxonomy/service_categories/cooling')
  assert.deepEqual(cooling?.view.detail.links, [{ name: 'AC repair', path: '/services/ac-repair' }])
  assert.deepEqual(
    cooling?.view.breadcrumbs.map(({ name, path }) => [name, path]),
    [
      ['Home', '/'],
      ['Service Categories', '/taxonomy/service_categories'],
      ['Home services', '/taxonomy/service_categories/home'],
      ['Cooling', '/taxonomy/service_categories/cooling'],
    ],
  )
  const [home] = archives.get('/taxonomy/service_categories')?.view.detail.terms ?? []
  assert.deepEqual([home?.name, home?.places[0]?.name], ['Home services', 'Cooling'])
})

test('a place’s archive links to the services offered there', async (t) => {
  const site = await aSite(t)
  await site.switchArchive('locations', 1)
  const austin = (await archivesOf(site)).get('/taxonomy/locations/austin')
  assert.deepEqual(austin?.view.detail.links, [
    { name: 'AC repair in Austin', path: '/services/ac-repair/austin' },
  ])
})

test('a place’s archive lists each existing local page once, by title or heading', async (t) => {
  const { db, switchArchive, place, draft, pair } = await aSite(t)
  await switchArchive('locations', 1)
  const hidden = await offer(db, { slug: 'drains', id: draft }, place('austin'), {
    title: 'Drains in Austin',
  })
  const pairs = await findContentType(db, 'location_services')
  const terms = new Map([
    [pair, [place('texas').id, place('austin').id]],
    [hidden, [place('texas').id]],
  ])
  await replaceEntryTerms(db, pairs?.id as number, terms)
  const archives = await archivesOf({ db })
  const link = { name: 'AC repair in Austin', path: '/services/ac-repair/austin' }
  for (const slug of ['texas', 'austin'])
    assert.deepEqual(archives.get(`/taxonomy/locations/${slug}`)?.view.detail.links, [link], slug)
})

async function listedArchives({ db }: Pick<Awaited<ReturnType<typeof aSite>>, 'db'>) {
  const archives = await archivesOf({ db })
  return [...archives].filter(([, { view }]) => !view.head.isHidden).map(([path]) => path)
}

const describe = (db: Awaited<ReturnType<typeof aSite>>['db'], slug: string, description: string) =>
  db.updateTable('taxonomy_terms').set({ description }).where('slug', '=', slug).execute()

test('an archive that only links to pages asks search engines not to list it', async (t) => {
  const site = await aSite(t)
  await site.switchArchive('service_categories', 1)
  await site.switchArchive('locations', 1)
  assert.deepEqual(await listedArchives(site), [])
})

test('an archive with a unique description is listed, and one with a copy isn’t', async (t) => {
  const site = await aSite(t)
  await site.switchArchive('service_categories', 1)
  await describe(site.db, 'cooling', 'Too short to say anything.')
  await describe(site.db, 'home', WORDS)
  assert.deepEqual(await listedArchives(site), ['/taxonomy/service_categories/home'])
  await describe(site.db, 'cooling', WORDS)
  assert.deepEqual(await listedArchives(site), [])
})

test('with a threshold of 0 every archive with a description is listed', async (t) => {
  const site = await aSite(t)
  await site.switchArchive('service_categories', 1)
  const settings = siteSettings.parse({ name: 'Cool', quality_threshold: 0 })
  await saveSiteSettings(site.db, settings, { now: new Date().toISOString() })
  await describe(site.db, 'cooling', 'We cool.')
  const listed = await listedArchives(site)
  assert.ok(listed.includes('/taxonomy/service_categories/cooling'))
  assert.ok(!listed.includes('/taxonomy/service_categories/home'))
})

test('§1.7 files and sitemap contain archives only while the taxonomy is opted in', async (t) => {
  const { db, switchArchive } = await aSite(t)
  const dataDir = temporaryFolder(t)
  for (const opted of [0, 1, 0] as const) {
    await switchArchive('service_categories', opted)
    await describe(db, 'cooling', WORDS)
    const options = { projectDir: PROJECT_DIR, dataDir, siteUrl, progress: silentProgress }
    await publishSite(db, { ...options, now: () => new Date() })
    const { siteDir } = findCurrentRelease(dataDir) ?? { siteDir: '' }
    const sitemap = await readFile(join(siteDir, 'sitemap-0.xml'), 'utf8')
    assert.equal(existsSync(join(siteDir, 'taxonomy')), opted === 1)
    assert.equal(sitemap.includes('/taxonomy/service_categories/cooling<'), opted === 1)
    if (opted === 1) {
      const html = await readFile(join(siteDir, 'taxonomy/service_categories/cooling.html'), 'utf8')
      assert.match(html, /<a [^>]*href="\/services\/ac-repair"/)
    }
  }
})
