import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { silentProgress } from '#src/lib/progress.ts'
import { publishSite } from '#src/publish/publish-site.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const places = await addPlaces(db, 'usa/texas/austin', 'usa/texas/dallas')
  const service = {
    slug: 'ac-repair',
    id: await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC repair' }),
  }
  for (const slug of ['austin', 'dallas']) await offer(db, service, { slug, id: places.get(slug) as number })
  const settings = (more: object) =>
    saveSiteSettings(db, siteSettings.parse({ name: 'Bluebonnet', quality_threshold: 0, ...more }), {
      now: '2026-11-20T10:00:00.000Z',
    })
  await settings({})
  const publish = () =>
    publishSite(db, {
      projectDir: PROJECT_DIR,
      dataDir,
      siteUrl: 'https://example.com',
      now: () => new Date(),
      progress: silentProgress,
    })
  return { db, dataDir, publish, settings }
}

async function pictureOf(dataDir: string, page: string) {
  const release = findCurrentRelease(dataDir)
  assert.ok(release)
  const html = await readFile(join(release.siteDir, page), 'utf8')
  const path = /og:image" content="https:\/\/example\.com(\/og\/[^"]+)"/.exec(html)?.[1] ?? ''
  return { path, file: join(release.siteDir, path) }
}

test('every page names a share picture in its release: its own or the site’s', async (t) => {
  const { dataDir, publish } = await aSite(t)
  await publish()
  const paths = new Set<string>()
  for (const page of [
    'index',
    'services/ac-repair',
    'services/ac-repair/austin',
    'services/ac-repair/dallas',
  ]) {
    const { path, file } = await pictureOf(dataDir, `${page}.html`)
    paths.add(path)
    const png = await readFile(file)
    // Of a PNG: its name, then width and height.
    assert.equal(png.toString('latin1', 1, 4), 'PNG')
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630])
    assert.ok(png.length < 60_000)
  }
  assert.equal(paths.size, 4)
  const home = await pictureOf(dataDir, 'index.html')
  assert.equal((await pictureOf(dataDir, 'services.html')).path, home.path)
})

test('a share picture is redrawn only when its words change and removed when unused', async (t) => {
  const { db, dataDir, publish } = await aSite(t)
  await publish()
  const before = await pictureOf(dataDir, 'services/ac-repair/austin.html')
  const drawn = await stat(before.file)
  const retitle = (title: string) =>
    db.updateTable('content_entries').set({ title }).where('slug', '=', 'ac-repair').execute()
  await db
    .updateTable('content_entries')
    .set({ title: 'Cooling' })
    .where('slug', '=', 'ac-repair/austin')
    .execute()
  await publish()
  const after = await pictureOf(dataDir, 'services/ac-repair/austin.html')
  assert.equal((await stat(after.file)).ino, drawn.ino)
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) {
    await retitle(title)
    await publish()
  }
  const kept = await readdir(join(dataDir, 'share-pictures', 'og'))
  assert.ok(!kept.includes(before.path.slice('/og/'.length)))
  assert.ok(kept.every((name) => name.endsWith('.png')))
})

test('with share_pictures: service places show their service’s picture', async (t) => {
  const { dataDir, publish, settings } = await aSite(t)
  await settings({ share_pictures: 'service' })
  await publish()
  const paths = await Promise.all(
    ['services/ac-repair', 'services/ac-repair/austin', 'services/ac-repair/dallas'].map(
      async (page) => (await pictureOf(dataDir, `${page}.html`)).path,
    ),
  )
  assert.equal(new Set(paths).size, 1)
})
