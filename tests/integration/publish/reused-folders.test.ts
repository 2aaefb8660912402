import assert from 'node:assert/strict'
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ledgerFile, openLedger } from '#src/publish/ledger/ledger-store.ts'
import { prepareNextFolder } from '#src/publish/release/next-folder.ts'
import { findCurrentRelease, listReleases } from '#src/publish/release/release.ts'
import { rollBack } from '#src/publish/release/roll-back.ts'
import { temporaryFolder } from '../../support/database.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { addEntry } from '../../support/small-site.ts'

type Site = Awaited<ReturnType<typeof aPublishedSite>>

const NOW = new Date('2026-11-20T12:00:00.000Z')

function current(dataDir: string) {
  return findCurrentRelease(dataDir) ?? assert.fail('there is no release')
}

function readSite(dataDir: string) {
  const { dir } = current(dataDir)
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const paths = files.map((file) => join(file.parentPath, file.name).slice(dir.length))
  return new Map(
    paths
      .filter((path) => path !== '/changes.tsv')
      .sort()
      .map((path) => [path, readFileSync(join(dir, path), 'latin1')]),
  )
}

function spares({ dataDir }: Site) {
  return readdirSync(join(dataDir, 'releases')).filter((name) => name.endsWith('.spare'))
}

async function assertSameAsFull({ dataDir, publish }: Site) {
  const found = readSite(dataDir)
  await publish({ full: true })
  assert.deepEqual(found, readSite(dataDir))
}

async function publishTitles({ setTitle, publish }: Site, ...titles: string[]) {
  for (const title of titles) {
    await setTitle(title)
    await publish()
  }
}

test('beyond five releases, the next one reuses the oldest folder', async (t) => {
  const site = await aPublishedSite(t)
  const { db, dataDir, publish } = site
  await addEntry(db, 'pages', { slug: 'about', title: 'About', redirectFrom: ['/company'] })
  await publish()
  const folder = lstatSync(current(dataDir).siteDir).ino
  await db.deleteFrom('content_entries').where('slug', '=', 'about').execute()
  await publishTitles(site, 'One', 'Two', 'Three', 'Four', 'Five')
  assert.equal((await listReleases(dataDir)).length, 5)
  const kept = (await listReleases(dataDir)).map(({ siteDir }) => lstatSync(siteDir).ino)
  assert.ok(!kept.includes(folder))
  await addEntry(db, 'pages', { slug: 'news', title: 'News' })
  await publish()
  assert.equal(lstatSync(current(dataDir).siteDir).ino, folder)
  const found = readSite(dataDir)
  assert.ok(found.has('/site/news.html') && !found.has('/site/about.html'))
  await publish({ full: true })
  assert.deepEqual(found, readSite(dataDir))
})

test('a publish without changes leaves the reusable folder for the next one', async (t) => {
  const site = await aPublishedSite(t)
  await publishTitles(site, '1', '2', '3', '4', '5', '6')
  const [spare] = spares(site)
  assert.ok(spare)
  assert.equal((await site.publish()).kind, 'unchanged')
  assert.deepEqual(spares(site), [spare])
})

test('after a rollback the next release contains everything saved, in any reused folder', async (t) => {
  const site = await aPublishedSite(t)
  const { db, dataDir, publish } = site
  await publishTitles(site, '1', '2', '3', '4', '5', '6')
  const target = (await listReleases(dataDir))[3]?.id
  const before = readSite(dataDir)
  await rollBack(db, { dataDir, to: target, starter: { startedBy: 'command' }, now: NOW })
  assert.notDeepEqual(readSite(dataDir), before)
  const { kind, plan } = await publish()
  assert.deepEqual([kind, plan.changed], ['published', 1])
  for (const title of ['7', '8', '9', '10', '11', '12']) {
    await publishTitles(site, title)
    await publish()
  }
  const stepByStep = readSite(dataDir)
  await publish({ full: true })
  assert.deepEqual(readSite(dataDir), stepByStep)
})

test('a publish into a folder with a page too many says so, and the next one succeeds', async (t) => {
  const site = await aPublishedSite(t)
  const { db, dataDir, publish } = site
  await publishTitles(site, '1', '2', '3', '4', '5', '6')
  const [spare = ''] = spares(site)
  writeFileSync(join(dataDir, 'releases', spare, 'site', 'stray.html'), '<!doctype html>')
  await addEntry(db, 'pages', { slug: 'news', title: 'News' })
  await assert.rejects(publish(), /The release has \d+ pages instead of \d+/)
  assert.equal((await publish()).plan.added, 1)
  await assertSameAsFull(site)
})

test('a recorded release that never went live is withdrawn', async (t) => {
  const site = await aPublishedSite(t)
  const { dataDir, publish } = site
  await publishTitles(site, '1', '2')
  const [last, first] = await listReleases(dataDir)
  assert.ok(last && first)
  // As if the process had been killed before the switch.
  await rollBack(site.db, { dataDir, to: first.id, starter: { startedBy: 'command' }, now: NOW })
  await rm(last.dir, { recursive: true })
  const { kind, plan } = await publish()
  assert.deepEqual([kind, plan.changed], ['published', 1])
  assert.match(String(readSite(dataDir).get('/site/services/ac-repair/dallas.html')), /<h1[^>]*>2</)
})

test('the ledger stores differences, not complete releases', async (t) => {
  const site = await aPublishedSite(t)
  await site.publish()
  await publishTitles(site, '1', '2', '3', '4', '5', '6', '7', '8')
  const ledger = openLedger(ledgerFile(site.dataDir))
  t.after(() => ledger.close())
  const pages = ledger.prepare('select count(*) from pages').pluck().get()
  const former = ledger.prepare("select count(*) from former where source = 'pages'").pluck().get()
  assert.ok(Number(pages) > 8)
  // One page in each of the five after the oldest folder.
  assert.equal(former, 5)
})

test('a truncated page found by a check is complete in every later release', async (t) => {
  const site = await aPublishedSite(t)
  const { dataDir, publish } = site
  await publishTitles(site, '1', '2', '3', '4', '5', '6')
  const file = 'services/ac-repair/austin.html'
  const html = readFileSync(join(current(dataDir).siteDir, file), 'utf8')
  await truncate(join(current(dataDir).siteDir, file), 0)
  await publish({ check: true })
  for (const title of ['7', '8', '9', '10', '11', '12', '13']) {
    await publishTitles(site, title)
    assert.equal(readFileSync(join(current(dataDir).siteDir, file), 'utf8'), html, title)
  }
})

test('a missing release folder is harmless', async (t) => {
  const site = await aPublishedSite(t)
  const { dataDir } = site
  await publishTitles(site, '1', '2', '3', '4', '5', '6')
  for (const { id, dir } of await listReleases(dataDir))
    if (id !== current(dataDir).id) await rm(dir, { recursive: true })
  for (const name of spares(site)) await rm(join(dataDir, 'releases', name), { recursive: true })
  await publishTitles(site, '7', '8')
  const found = readSite(dataDir)
  const other = { ...site, dataDir: temporaryFolder(t) }
  await site.publish({ dataDir: other.dataDir })
  assert.equal(
    found.get('/site/services/ac-repair/dallas.html'),
    readSite(other.dataDir).get('/site/services/ac-repair/dallas.html'),
  )
  assert.deepEqual([...found.keys()], [...readSite(other.dataDir).keys()])
})

test('a prepared folder has the live release’s files, and the next release is built in it', async (t) => {
  const site = await aPublishedSite(t)
  const { db, dataDir, publish } = site
  await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  await publish()
  await prepareNextFolder(dataDir, { fewFiles: 0 })
  const [spare] = spares(site)
  assert.equal(spare, `${current(dataDir).id}.spare`)
  const inode = lstatSync(join(dataDir, 'releases', String(spare), 'site')).ino
  await db.deleteFrom('content_entries').where('slug', '=', 'about').execute()
  await publishTitles(site, 'One')
  assert.equal(lstatSync(current(dataDir).siteDir).ino, inode)
  await assertSameAsFull(site)
})

test('a reused folder is brought up to date, and earlier releases can still go live', async (t) => {
  const site = await aPublishedSite(t)
  const { db, dataDir } = site
  await publishTitles(site, '1', '2', '3', '4', '5', '6')
  await addEntry(db, 'pages', { slug: 'news', title: 'News' })
  await publishTitles(site, '7')
  await prepareNextFolder(dataDir, { fewFiles: 1 })
  assert.deepEqual(spares(site), [`${current(dataDir).id}.spare`])
  const before = readSite(dataDir)
  await publishTitles(site, '8')
  await rollBack(db, { dataDir, starter: { startedBy: 'command' }, now: NOW })
  assert.deepEqual(readSite(dataDir), before)
  await prepareNextFolder(dataDir, { fewFiles: 0 })
  await site.publish()
  await assertSameAsFull(site)
})

test('a half-prepared folder is removed, and small sites prepare none', async (t) => {
  const site = await aPublishedSite(t)
  const { dataDir, publish } = site
  await publish()
  mkdirSync(join(dataDir, 'releases', `${current(dataDir).id}.next`, 'site'), { recursive: true })
  await prepareNextFolder(dataDir)
  assert.deepEqual(readdirSync(join(dataDir, 'releases')), [current(dataDir).id])
})
