import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { ledgerFile } from '#src/publish/ledger/ledger-store.ts'
import { readPages } from '#src/publish/ledger/newest-release.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import { findCurrentRelease, listReleases } from '#src/publish/release/release.ts'
import { verifyRelease } from '#src/publish/release/verify-release.ts'
import { isWholeFolder, recordFiles } from '#src/publish/render/whole-folder.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { temporaryFolder } from '../../support/database.ts'
import { skipWithout } from '../../support/needed-tool.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { addEntry, offer } from '../../support/small-site.ts'
import { OTHER_ROOT, TEMPORARY_ROOT } from '../../support/temporary-root.ts'

const isOtherDisk = ![undefined, statSync(TEMPORARY_ROOT).dev].includes(
  statSync(OTHER_ROOT, { throwIfNoEntry: false })?.dev,
)

function current(dataDir: string) {
  const release = findCurrentRelease(dataDir)
  assert.ok(release)
  return release
}

test('a check finds and re-renders an emptied page', async (t) => {
  const { dataDir, publish } = await aPublishedSite(t)
  await publish()
  const before = current(dataDir)
  const file = 'services/ac-repair/austin.html'
  const html = await readFile(join(before.siteDir, file), 'utf8')
  await truncate(join(before.siteDir, file), 0)
  const { kind, plan } = await publish({ check: true })
  assert.deepEqual([kind, plan.renderedSame], ['published', 1])
  assert.equal(await readFile(join(current(dataDir).siteDir, file), 'utf8'), html)
})

test('a check rebuilds a truncated file that isn’t a page', async (t) => {
  const { db, dataDir, publish } = await aPublishedSite(t)
  await addEntry(db, 'pages', { slug: 'about', title: 'About', redirectFrom: ['/company'] })
  await publish()
  for (const name of ['redirects.map', 'site/sitemap-0.xml', 'site/_redirects', 'site/robots.txt']) {
    const text = await readFile(join(current(dataDir).dir, name), 'utf8')
    const modified = modifiedOf(dataDir)
    await truncate(join(current(dataDir).dir, name), 1)
    assert.equal((await publish({ check: true })).kind, 'published', name)
    assert.equal(await readFile(join(current(dataDir).dir, name), 'utf8'), text)
    assert.deepEqual(modifiedOf(dataDir), modified, name)
    assert.equal((await publish({ check: true })).kind, 'unchanged', name)
  }
})

test('without a usable ledger every page is rendered, and lastmod changes only for changed pages', async (t) => {
  const { dataDir, publish, setTitle } = await aPublishedSite(t)
  await publish()
  for (const [edition, damage] of [rm, halve, overwrite].entries()) {
    const id = current(dataDir).id
    const html = await readFile(join(current(dataDir).siteDir, 'services.html'), 'utf8')
    const before = await sitemapOf(dataDir)
    await damage(ledgerFile(dataDir))
    await setTitle(`Cooling for Dallas ${edition}`)
    const { kind, plan } = await publish()
    assert.equal(kind, 'published', damage.name)
    assert.equal(plan.causes[0]?.cause.code, 'release_again', damage.name)
    assert.notEqual(current(dataDir).id, id)
    assert.equal(await readFile(join(current(dataDir).siteDir, 'services.html'), 'utf8'), html)
    assert.equal(await sitemapOf(dataDir), before, damage.name)
    assert.equal((await publish()).kind, 'unchanged', damage.name)
  }
})

const halve = async (file: string) => truncate(file, Math.floor((await stat(file)).size / 2))
const overwrite = (file: string) =>
  writeFile(file, 'This is a text, and it is long enough to be taken for a database.')
const sitemapOf = (dataDir: string) => readFile(join(current(dataDir).siteDir, 'sitemap-0.xml'), 'utf8')

test('a bundle with a missing or truncated file is detected', async (t) => {
  const folder = temporaryFolder(t)
  await mkdir(join(folder, 'server'))
  await writeFile(join(folder, 'server/entry.mjs'), 'export const a = 1')
  await recordFiles(folder)
  assert.equal(await isWholeFolder(folder), true)
  await truncate(join(folder, 'server/entry.mjs'), 5)
  assert.equal(await isWholeFolder(folder), false)
  assert.equal(await isWholeFolder(join(folder, 'nowhere')), false)
})

test('20,000 nested quotes fail the publish with their page’s name and leave the old site', async (t) => {
  const { db, dataDir, publish } = await aPublishedSite(t)
  await publish()
  const before = current(dataDir).id
  await addEntry(db, 'pages', { slug: 'deep', title: 'Deep', body: `${'>'.repeat(20_000)} text` })
  await assert.rejects(publish(), /the page \/deep can’t be shown.*Remove some levels/s)
  assert.equal(current(dataDir).id, before)
})

test('a release with a missing or extra page doesn’t go live', async (t) => {
  const { dataDir, publish } = await aPublishedSite(t)
  await publish()
  const release = current(dataDir)
  const pages = readPages(dataDir).length
  const verify = () => verifyRelease(release, { pages, links: [] })
  const page = join(release.siteDir, 'services/ac-repair/austin.html')
  const html = await readFile(page)
  verify()
  await rm(page)
  assert.throws(verify, {
    message: `The release has ${pages - 1} pages instead of ${pages}. Build again`,
  })
  await writeFile(page, html)
  await writeFile(join(release.siteDir, 'more.html'), html)
  assert.throws(verify, /Build again/)
})

test('a broken link in a text is reported and doesn’t stop the publish', async (t) => {
  const { db, publish } = await aPublishedSite(t)
  await addEntry(db, 'pages', { slug: 'about', title: 'About', body: '[Prices](/prices) and [home](/)' })
  const { kind, brokenLinks } = await publish()
  assert.equal(kind, 'published')
  assert.deepEqual(brokenLinks, [{ page: '/about', target: '/prices' }])
})

test('a link to a removed page is reported even if its own page is unchanged', async (t) => {
  const { db, dataDir, publish, places } = await aPublishedSite(t)
  // With another service there the town stays in the footer, which is on every page.
  const id = await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  await offer(db, { slug: 'drains', id }, { slug: 'dallas', id: places.get('dallas') as number })
  const body =
    'See [Dallas](/services/ac-repair/dallas#form), [Austin](/services/ac-repair/austin) and [home](/).'
  await addEntry(db, 'pages', { slug: 'about', title: 'About', body })
  const link = 'See [Dallas](/services/ac-repair/dallas).'
  await addEntry(db, 'services', { slug: 'leaks', title: 'Leaks', data: { faq: [{ answer: link }] } })
  await db.updateTable('taxonomy_terms').set({ description: link }).where('slug', '=', 'austin').execute()
  const navigation = [{ label: 'Dallas', path: '/services/ac-repair/dallas' }]
  await saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, navigation }, { now: '2026-11-20T10:00:00.000Z' })
  assert.deepEqual((await publish()).brokenLinks, [])
  await db.deleteFrom('content_entries').where('slug', '=', 'ac-repair/dallas').execute()
  const { plan, brokenLinks } = await publish()
  assert.equal(plan.removed, 1)
  assert.ok(!(await readFile(join(current(dataDir).dir, 'changes.tsv'), 'utf8')).includes('/about'))
  const target = '/services/ac-repair/dallas'
  assert.deepEqual(
    brokenLinks,
    ['/services', '/', 'locations/austin', '/about', '/services/leaks'].map((page) => ({ page, target })),
  )
})

test('§1.7 a broken link in a term with an archive is reported once', async (t) => {
  const { db, publish } = await aPublishedSite(t)
  await db.updateTable('taxonomies').set({ has_archive: 1 }).execute()
  await addEntry(db, 'pages', { slug: 'prices', title: 'Prices' })
  const description = 'See [our prices](/prices).'
  await db.updateTable('taxonomy_terms').set({ description }).where('slug', '=', 'austin').execute()
  assert.deepEqual((await publish()).brokenLinks, [])
  await db.deleteFrom('content_entries').where('slug', '=', 'prices').execute()
  const { brokenLinks } = await publish()
  assert.deepEqual(brokenLinks, [{ page: 'locations/austin', target: '/prices' }])
})

test('lastmod changes only when the page’s bytes change', async (t) => {
  const { dataDir, db, publish, setTitle } = await aPublishedSite(t)
  await publish()
  const first = modifiedOf(dataDir)
  await setTitle('Cooling for Dallas')
  await publish()
  const second = modifiedOf(dataDir)
  const moved = [...second].filter(([path, moment]) => first.get(path) !== moment).map(([path]) => path)
  assert.deepEqual(moved, ['/services/ac-repair/dallas'])
  // Another form of the same content: everything is rendered again, nothing is different.
  await publish({ full: true })
  assert.deepEqual(modifiedOf(dataDir), second)
  await addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'We repair.' })
  await publish()
  const sitemap = await readFile(join(current(dataDir).siteDir, 'sitemap-0.xml'), 'utf8')
  const about = modifiedOf(dataDir).get('/about')
  assert.ok(about && sitemap.includes(`<loc>https://example.com/about</loc><lastmod>${about}</lastmod>`))
  assert.equal((await listReleases(dataDir)).length, 4)
})

function modifiedOf(dataDir: string) {
  return new Map(readPages(dataDir).map(({ path, modifiedAt }) => [path, modifiedAt]))
}

test('an unchanged page is the same file in the next release', async (t) => {
  const { dataDir, publish, setTitle } = await aPublishedSite(t)
  await publish()
  const file = 'services/ac-repair/austin.html'
  const before = await stat(join(current(dataDir).siteDir, file))
  await setTitle('Cooling for Dallas')
  const { copiedPages } = await publish()
  assert.equal(copiedPages, 0)
  assert.equal((await stat(join(current(dataDir).siteDir, file))).ino, before.ino)
})

// The release before and the drawn pictures are on another file system: nothing of them can be linked.
test('without hard links, unchanged pages are copied, which is reported, and pictures are kept', {
  skip: skipWithout(isOtherDisk, `${OTHER_ROOT} is not a file system of its own`),
}, async (t) => {
  const { dataDir, publish, setTitle } = await aPublishedSite(t)
  await publish()
  const before = current(dataDir)
  const elsewhere = await mkdtemp(join(OTHER_ROOT, 'signpost-test-'))
  t.after(() => rm(elsewhere, { recursive: true }))
  const pictures = join(dataDir, 'share-pictures')
  for (const folder of [before.dir, pictures]) {
    await cp(folder, join(elsewhere, basename(folder)), { recursive: true })
    await rm(folder, { recursive: true })
    await symlink(join(elsewhere, basename(folder)), folder)
  }
  const drawn = await readdir(join(pictures, 'og'))
  await setTitle('Cooling for Dallas')
  const { kind, plan, copiedPages } = await publish()
  assert.equal(kind, 'published')
  assert.ok(plan.unchanged > 0)
  assert.equal(copiedPages, plan.unchanged)
  for (const { path, size } of readPages(dataDir))
    assert.equal((await stat(join(current(dataDir).siteDir, pageFile(path)))).size, size, path)
  assert.deepEqual(await readdir(join(pictures, 'og')), drawn)
})
