import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Step, silentProgress } from '#src/lib/progress.ts'
import { readPages } from '#src/publish/ledger/newest-release.ts'
import { planSite } from '#src/publish/publish-site.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import {
  findCurrentRelease,
  listReleases,
  releaseAt,
  removeOldReleases,
  switchToRelease,
} from '#src/publish/release/release.ts'
import { listLiveEntries } from '#src/publish/states/live-site.ts'
import { temporaryFolder } from '../../support/database.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { editEntry } from '../../support/small-edits.ts'
import { addEntry, offer } from '../../support/small-site.ts'

const NOBODY = 65_534

function currentSite(dataDir: string) {
  const release = findCurrentRelease(dataDir)
  assert.ok(release)
  return release
}

// The superuser may remove everything.
async function asOrdinaryUser(folders: readonly string[], work: () => Promise<void>) {
  if (process.geteuid?.() !== 0) return work()
  for (const folder of folders) await chown(folder, NOBODY, NOBODY)
  process.seteuid?.(NOBODY)
  try {
    await work()
  } finally {
    process.seteuid?.(0)
  }
}

test('a publish writes every page as a complete file and switches atomically', async (t) => {
  const { dataDir, publish } = await aPublishedSite(t)
  const outcome = await publish()
  assert.equal(outcome.kind, 'published')
  const { siteDir } = currentSite(dataDir)
  const html = await readFile(join(siteDir, 'services/ac-repair/dallas.html'), 'utf8')
  assert.match(html, /<h1[^>]*>AC repair in Dallas<\/h1>/)
  assert.match(html, /<\/html>\s*$/)
  for (const file of ['index.html', 'services.html', '404.html', '500.html', 'robots.txt', 'llms.txt']) {
    assert.ok(existsSync(join(siteDir, file)), file)
  }
  const [, css = ''] = /href="(\/_astro\/[^"]+\.css)"/.exec(html) ?? []
  assert.ok((await stat(join(siteDir, css))).size > 0)
})

test('§1.7 a release has nothing below /taxonomy', async (t) => {
  const { dataDir, publish } = await aPublishedSite(t)
  await publish()
  assert.equal(existsSync(join(currentSite(dataDir).siteDir, 'taxonomy')), false)
})

test('a publish without changes makes no release', async (t) => {
  const { dataDir, publish } = await aPublishedSite(t)
  await publish()
  const before = currentSite(dataDir).id
  assert.equal((await publish()).kind, 'unchanged')
  assert.equal(currentSite(dataDir).id, before)
})

test('an edit renders only the pages that show it', async (t) => {
  const { dataDir, publish, setTitle } = await aPublishedSite(t)
  await publish()
  const before = currentSite(dataDir)
  await setTitle('Cooling for Dallas')
  const { plan } = await publish()
  assert.deepEqual([plan.added, plan.changed, plan.removed], [0, 1, 0])
  const [{ cause, pages } = {}] = plan.causes
  const params = { path: '/services/ac-repair/dallas', title: 'Cooling for Dallas' }
  assert.deepEqual([cause, pages], [{ code: 'page_edited', params }, 1])
  assert.deepEqual(await changesOf(dataDir), ['changed /services/ac-repair/dallas'])
  const after = currentSite(dataDir)
  assert.notEqual(after.id, before.id)
  const inode = async (siteDir: string, file: string) => (await stat(join(siteDir, file))).ino
  for (const [file, isSame] of [
    ['index.html', true],
    ['services/ac-repair/austin.html', true],
    ['services/ac-repair/dallas.html', false],
  ] as const) {
    assert.equal((await inode(before.siteDir, file)) === (await inode(after.siteDir, file)), isSame, file)
  }
  const old = await readFile(join(before.siteDir, 'services/ac-repair/dallas.html'), 'utf8')
  assert.match(old, /AC repair in Dallas/)
})

test('progress counts the pages of the live site from the start', async (t) => {
  const { db, publish } = await aPublishedSite(t)
  await publish()
  await db.updateTable('taxonomy_terms').set({ name: 'Big Austin' }).where('slug', '=', 'austin').execute()
  const steps: { code: string; totals: Set<number> }[] = []
  const progress = {
    ...silentProgress,
    phase: ({ code }: Step) => void steps.push({ code, totals: new Set() }),
    update: (_: number, total: number) => void steps.at(-1)?.totals.add(total),
  }
  const { plan } = await publish({ progress })
  const comparing = steps.find(({ code }) => code === 'comparing')
  assert.deepEqual([...(comparing?.totals ?? [])], [plan.added + plan.changed + plan.unchanged])
})

test('a deleted page is not in the next release', async (t) => {
  const { db, dataDir, publish } = await aPublishedSite(t)
  await publish()
  await db.deleteFrom('content_entries').where('slug', '=', 'ac-repair/dallas').execute()
  const { plan } = await publish()
  assert.equal(plan.removed, 1)
  assert.ok(plan.causes.some(({ cause }) => cause.code === 'page_removed'))
  assert.ok((await changesOf(dataDir)).includes('removed /services/ac-repair/dallas'))
  assert.equal(existsSync(join(currentSite(dataDir).siteDir, 'services/ac-repair/dallas.html')), false)
})

test('a local page that was created again is live under its new ID, and can be taken offline', async (t) => {
  const { db, dataDir, publish, service, places } = await aPublishedSite(t)
  await publish()
  const slug = 'ac-repair/austin'
  await db.deleteFrom('content_entries').where('slug', '=', slug).execute()
  const austin = { slug: 'austin', id: places.get('austin') ?? 0 }
  const id = await offer(db, service, austin, { isGenerated: true })
  await publish()
  assert.deepEqual(await listLiveEntries(dataDir, [id]), new Set([id]))
  assert.equal((await publish()).kind, 'unchanged')
  await editEntry(db, id, { status: 'draft' })
  const { plan } = await publish()
  assert.equal(plan.removed, 1)
})

test('a full build gives the same bytes as successive edits', async (t) => {
  const { dataDir, publish, setTitle } = await aPublishedSite(t)
  await publish()
  await setTitle('Cooling for Dallas')
  await publish()
  const stepByStep = await filesOf(currentSite(dataDir).siteDir)
  await publish({ full: true })
  assert.deepEqual(await filesOf(currentSite(dataDir).siteDir), stepByStep)
})

test('a plan of a full publish lists only the pages that would change', async (t) => {
  const { db, dataDir, publish, setTitle } = await aPublishedSite(t)
  await publish()
  const place = { projectDir: PROJECT_DIR, dataDir, siteUrl: 'https://example.com' }
  const listed = async () => {
    const paths: string[] = []
    await planSite(db, { ...place, full: true, onChange: ({ path }) => paths.push(path) })
    return paths
  }
  assert.deepEqual(await listed(), [])
  await setTitle('Cooling for Dallas')
  assert.deepEqual(await listed(), ['/services/ac-repair/dallas'])
})

test('a plan lists changes and writes nothing', async (t) => {
  const { db, dataDir, publish, setTitle } = await aPublishedSite(t)
  await publish()
  const before = await readdir(join(dataDir, 'releases'))
  await setTitle('Cooling for Dallas')
  const changes: string[] = []
  const plan = await planSite(db, {
    projectDir: PROJECT_DIR,
    dataDir,
    siteUrl: 'https://example.com',
    onChange: ({ change, path }) => changes.push(`${change} ${path}`),
  })
  assert.equal(plan.changed, 1)
  assert.deepEqual(changes, ['changed /services/ac-repair/dallas'])
  assert.deepEqual(await readdir(join(dataDir, 'releases')), before)
})

test('a failed publish leaves the old site intact', async (t) => {
  const { db, dataDir, publish } = await aPublishedSite(t)
  await publish()
  const before = currentSite(dataDir).id
  await addEntry(db, 'pages', { slug: 'services', title: 'Takes the address of the list of services' })
  const both =
    /Two pages have the address \/services: “Services \| .*” and “Takes the address .*”. Change one of the two addresses/
  await assert.rejects(publish(), both)
  const options = { projectDir: PROJECT_DIR, dataDir, siteUrl: 'https://example.com' }
  await assert.rejects(planSite(db, options), both)
  assert.equal(currentSite(dataDir).id, before)
  assert.deepEqual((await readdir(join(dataDir, 'releases'))).length, 1)
})

test('the next publish removes leftovers of a killed one', async (t) => {
  const { dataDir, publish } = await aPublishedSite(t)
  const leftover = join(dataDir, 'releases', '20261119T000000000Z.tmp')
  await mkdir(leftover, { recursive: true })
  await publish()
  assert.equal(existsSync(leftover), false)
})

test('two concurrent publishes run one after the other', async (t) => {
  const { dataDir, publish } = await aPublishedSite(t)
  const kinds = (await Promise.all([publish(), publish()])).map(({ kind }) => kind)
  assert.deepEqual(kinds.sort(), ['published', 'unchanged'])
  assert.equal((await listReleases(dataDir)).length, 1)
})

test('the last five releases are kept', async (t) => {
  const { dataDir, publish, setTitle } = await aPublishedSite(t)
  for (let edition = 0; edition < 7; edition++) {
    await setTitle(`Edition ${edition}`)
    await publish()
  }
  const releases = await listReleases(dataDir)
  assert.equal(releases.length, 5)
  assert.equal(releases[0]?.id, currentSite(dataDir).id)
})

test('the current release is kept at any age', async (t) => {
  const dataDir = temporaryFolder(t)
  const names = [1, 2, 3, 4, 5, 6, 7].map((day) => `2026110${day}T000000000Z`)
  for (const name of names) {
    await mkdir(join(dataDir, 'releases', name, 'site'), { recursive: true })
  }
  const [oldest = ''] = names
  await switchToRelease(dataDir, releaseAt(dataDir, oldest))
  await removeOldReleases(dataDir)
  assert.deepEqual(
    (await listReleases(dataDir)).map(({ id }) => id),
    [...names.slice(2).reverse(), oldest],
  )
})

test('an old release owned by another user is left in place', async (t) => {
  const dataDir = temporaryFolder(t)
  const names = [1, 2, 3, 4, 5, 6].map((day) => `2026110${day}T000000000Z`)
  for (const name of names) await mkdir(join(dataDir, 'releases', name, 'site', 'kept'), { recursive: true })
  const [oldest = ''] = names
  const ofOther = join(dataDir, 'releases', oldest, 'site')
  await chmod(ofOther, 0o555)
  await asOrdinaryUser([dataDir, join(dataDir, 'releases')], () => removeOldReleases(dataDir))
  assert.deepEqual(
    (await listReleases(dataDir)).map(({ id }) => id),
    names.toReversed(),
  )
  await chmod(ofOther, 0o755)
})

test('the sitemap lists exactly the pages that search engines may list', async (t) => {
  const { dataDir, publish } = await aPublishedSite(t)
  await publish()
  const release = currentSite(dataDir)
  const sitemap = await readFile(join(release.siteDir, 'sitemap-0.xml'), 'utf8')
  const listed = [...sitemap.matchAll(/<loc>https:\/\/example\.com([^<]*)<\/loc>/g)].map(([, path]) => path)
  const html = async (path: string) => readFile(join(release.siteDir, pageFile(path)), 'utf8')
  for (const { path } of readPages(dataDir)) {
    assert.equal(
      listed.includes(path),
      !(await html(path)).includes('<meta name="robots" content="noindex">'),
      path,
    )
  }
  // It says nothing that other places do not say.
  assert.ok(listed.includes('/services/ac-repair') && !listed.includes('/services/ac-repair/austin'))
  assert.match(await readFile(join(release.siteDir, 'sitemap-index.xml'), 'utf8'), /sitemap-0\.xml/)
})

async function changesOf(dataDir: string) {
  const text = await readFile(join(currentSite(dataDir).dir, 'changes.tsv'), 'utf8')
  const lines = text.split('\n').filter(Boolean)
  return lines.map((line) => line.split('\t').slice(0, 2).join(' '))
}

async function filesOf(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  return Promise.all(files.map(async (file) => [file.slice(folder.length), await readFile(file, 'utf8')]))
}
