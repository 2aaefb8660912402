import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { rollBack } from '#src/publish/release/roll-back.ts'
import { ensureBundle, locateBundle } from '#src/publish/render/bundle.ts'
import { createStaticSite } from '#src/server/http/static-site.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { addEntry, offer } from '../../support/small-site.ts'

// A service in Austin and Dallas, published and served.
async function aSite(t: TestContext) {
  const { db, dataDir, places, service, publish } = await aPublishedSite(t)
  const serviceId = service.id
  const { clientDir } = await locateBundle(PROJECT_DIR)
  const site = createStaticSite({ dataDir, log: { error: assert.ifError }, clientDir, releaseCheckMs: 0 })
  const server = createServer((request, response) => void site.serve(request, response)).listen(
    0,
    '127.0.0.1',
  )
  t.after(() => server.close())
  const get = async (path: string) => {
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })
    const location = response.headers.get('location')
    return location === null ? response.status : `${response.status} ${location}`
  }
  const text = (file: string) => readFile(join(findCurrentRelease(dataDir)?.dir ?? '', file), 'utf8')
  const renameTerm = (from: string, to: string) =>
    db.updateTable('taxonomy_terms').set({ slug: to }).where('slug', '=', from).execute()
  const renameEntry = (from: string, to: string) =>
    db.updateTable('content_entries').set({ slug: to }).where('slug', '=', from).execute()
  return { db, dataDir, places, serviceId, publish, get, text, renameTerm, renameEntry }
}

test('before the first publish visitors are asked to wait, and the admin is styled', async (t) => {
  const { get } = await aSite(t)
  const { clientDir } = await ensureBundle(PROJECT_DIR)
  const [asset] = await readdir(join(clientDir, '_admin'))
  assert.deepEqual(
    [await get('/'), await get('/_admin/none.css'), await get(`/_admin/${asset}`)],
    [503, 503, 200],
  )
})

test('files and pages of a site’s own have any name, and hidden ones no address', async (t) => {
  const { dataDir, publish, get } = await aSite(t)
  await publish()
  const siteDir = findCurrentRelease(dataDir)?.siteDir ?? ''
  const names = ['My Brochure.pdf', 'café.html', 'a+b (1).txt', 'LICENSE', '.well-known/links.json', '.env']
  await mkdir(join(siteDir, '.well-known'))
  for (const name of names) await writeFile(join(siteDir, name), 'text')
  for (const path of [
    '/My%20Brochure.pdf',
    '/caf%C3%A9',
    '/a+b%20(1).txt',
    '/LICENSE',
    '/.well-known/links.json',
  ])
    assert.equal(await get(path), 200, path)
  for (const path of ['/%4CICENSE', '/.env', '/%2Eenv', '/services/..%2f.env', '/_redirects', '/%5C.env'])
    assert.equal(await get(path), 404, path)
})

test('§4 a renamed place redirects its pages and keeps the query', async (t) => {
  const { publish, get, renameTerm, text } = await aSite(t)
  await publish()
  await renameTerm('austin', 'austin-tx')
  await publish()
  assert.equal(await get('/services/ac-repair/austin'), '301 /services/ac-repair/austin-tx')
  assert.equal(
    await get('/services/ac-repair/austin?from=mail'),
    '301 /services/ac-repair/austin-tx?from=mail',
  )
  assert.equal(await get('/services/ac-repair/austin/'), '301 /services/ac-repair/austin-tx')
  assert.equal(await get('/services/ac-repair/austin.html'), '301 /services/ac-repair/austin-tx')
  assert.equal(await get('/services/ac-repair/austin-tx'), 200)
  assert.equal(await text('redirects.map'), '/services/ac-repair/austin /services/ac-repair/austin-tx;\n')
  assert.equal(
    await text('site/_redirects'),
    '/services/ac-repair/austin /services/ac-repair/austin-tx 301\n',
  )
})

test('§4 a renamed service redirects its page and all of its places', async (t) => {
  const { publish, get, renameEntry } = await aSite(t)
  await publish()
  await renameEntry('ac-repair', 'air-conditioning')
  await publish()
  assert.equal(await get('/services/ac-repair'), '301 /services/air-conditioning')
  assert.equal(await get('/services/ac-repair/dallas'), '301 /services/air-conditioning/dallas')
})

test('§4 a changed route pattern redirects every page of its type', async (t) => {
  const { db, publish, get } = await aSite(t)
  await publish()
  const pattern = { route_pattern: '/hvac/{service_slug}/in/{location_slug}' }
  await db.updateTable('content_types').set(pattern).where('slug', '=', 'location_services').execute()
  await publish()
  assert.equal(await get('/services/ac-repair/austin'), '301 /hvac/ac-repair/in/austin')
  assert.equal(await get('/services/ac-repair'), 200)
})

test('§4 chains collapse: each former address redirects straight to the page', async (t) => {
  const { publish, get, renameTerm } = await aSite(t)
  for (const [from, to] of [
    ['', ''],
    ['austin', 'a'],
    ['a', 'b'],
    ['b', 'c'],
  ] as const) {
    await renameTerm(from, to)
    await publish()
  }
  for (const slug of ['austin', 'a', 'b'])
    assert.equal(await get(`/services/ac-repair/${slug}`), '301 /services/ac-repair/c')
})

test('§4 a slug changed back serves its page again, and the intermediate one redirects to it', async (t) => {
  const { publish, get, renameTerm } = await aSite(t)
  await publish()
  await renameTerm('austin', 'atx')
  await publish()
  await renameTerm('atx', 'austin')
  await publish()
  assert.equal(await get('/services/ac-repair/austin'), 200)
  assert.equal(await get('/services/ac-repair/atx'), '301 /services/ac-repair/austin')
})

test('§4 two pages that swap addresses are both served', async (t) => {
  const { publish, get, renameTerm, text } = await aSite(t)
  await publish()
  for (const [from, to] of [
    ['austin', 'x'],
    ['dallas', 'austin'],
    ['x', 'dallas'],
  ] as const)
    await renameTerm(from, to)
  await publish()
  assert.equal(await get('/services/ac-repair/austin'), 200)
  assert.equal(await get('/services/ac-repair/dallas'), 200)
  assert.equal(await text('redirects.map'), '')
})

test('§4 an address that another page takes loses its redirect', async (t) => {
  const { publish, get, renameTerm, renameEntry, db } = await aSite(t)
  await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  await publish()
  await renameEntry('about', 'team')
  await publish()
  assert.equal(await get('/about'), '301 /team')
  await addEntry(db, 'pages', { slug: 'about', title: 'Another page' })
  await publish()
  assert.equal(await get('/about'), 200)
  await renameTerm('austin', 'atx')
  await renameEntry('about', 'company')
  await publish()
  assert.equal(await get('/about'), '301 /company')
  assert.equal(await get('/team'), 200)
})

test('§4 a page that is gone answers 410 in the site’s layout, and comes back', async (t) => {
  const { publish, get, db, text } = await aSite(t)
  await publish()
  await db
    .updateTable('content_entries')
    .set({ status: 'draft' })
    .where('slug', '=', 'ac-repair/dallas')
    .execute()
  await publish()
  assert.equal(await get('/services/ac-repair/dallas'), 410)
  assert.equal(await get('/services/ac-repair/waco'), 404)
  assert.equal(await get('/410'), 404)
  assert.equal(await text('gone.map'), '/services/ac-repair/dallas 1;\n')
  assert.match(await text('site/410.html'), /<h1[^>]*>This page was removed<\/h1>/)
  await db
    .updateTable('content_entries')
    .set({ status: 'published' })
    .where('slug', '=', 'ac-repair/dallas')
    .execute()
  await publish()
  assert.equal(await get('/services/ac-repair/dallas'), 200)
  assert.equal(await text('gone.map'), '')
})

test('§4 addresses of a former website redirect to the entry that lists them', async (t) => {
  const { publish, get, db } = await aSite(t)
  const about = {
    slug: 'about',
    title: 'About',
    redirectFrom: ['/about-us.php', '/company/about', '/services', '/über-uns'],
  }
  await addEntry(db, 'pages', about)
  await publish()
  assert.equal(await get('/about-us.php?id=4'), '301 /about?id=4')
  assert.equal(await get('/company/about/'), '301 /about')
  assert.equal(await get('/%C3%BCber-uns/?id=4'), '301 /about?id=4')
  assert.equal(await get('/services'), 200)
})

test('§4 former slugs of services and places redirect on a site that was never published before', async (t) => {
  const { publish, get, db, serviceId } = await aSite(t)
  await db
    .updateTable('taxonomy_terms')
    .set({ former_slugs_json: '["atx"]' })
    .where('slug', '=', 'austin')
    .execute()
  const redirect_from_json = '["/services/cooling"]'
  await db.updateTable('content_entries').set({ redirect_from_json }).where('id', '=', serviceId).execute()
  await publish()
  assert.equal(await get('/services/cooling'), '301 /services/ac-repair')
  for (const path of ['/services/cooling/atx', '/services/cooling/austin', '/services/ac-repair/atx'])
    assert.equal(await get(path), '301 /services/ac-repair/austin')
  assert.equal(await get('/services/cooling/dallas'), '301 /services/ac-repair/dallas')
})

test('§4 services that swapped slugs keep their pages’ former addresses', async (t) => {
  const { publish, get, db, serviceId, places, renameTerm } = await aSite(t)
  const furnace = {
    slug: 'furnace-repair',
    id: await addEntry(db, 'services', {
      slug: 'furnace-repair',
      title: 'Furnace repair',
      redirectFrom: ['/services/ac-repair'],
    }),
  }
  const redirect_from_json = '["/services/furnace-repair"]'
  await db.updateTable('content_entries').set({ redirect_from_json }).where('id', '=', serviceId).execute()
  await offer(db, furnace, { slug: 'austin', id: places.get('austin') as number })
  await publish()
  const former_slugs_json = '["austin"]'
  await db.updateTable('taxonomy_terms').set({ former_slugs_json }).where('slug', '=', 'austin').execute()
  await renameTerm('austin', 'old-austin')
  await publish()
  for (const service of ['ac-repair', 'furnace-repair'])
    assert.equal(await get(`/services/${service}/austin`), `301 /services/${service}/old-austin`)
})

test('§4 a former archive address redirects to the page that had it last', async (t) => {
  const { publish, get, db } = await aSite(t)
  const rename = (from: string, slug: string, ...former: string[]) =>
    db
      .updateTable('taxonomy_terms')
      .set({ slug, former_slugs_json: JSON.stringify(former) })
      .where('slug', '=', from)
      .execute()
  await db.updateTable('taxonomies').set({ has_archive: 1 }).where('slug', '=', 'locations').execute()
  await rename('austin', 'austin', 'atx')
  await publish()
  assert.equal(await get('/taxonomy/locations/atx'), '301 /taxonomy/locations/austin')
  await rename('austin', 'austin-tx', 'atx', 'austin')
  await rename('dallas', 'austin', 'dallas')
  await publish()
  await rename('austin', 'big-d', 'dallas', 'austin')
  await publish()
  assert.equal(await get('/taxonomy/locations/austin'), '301 /taxonomy/locations/big-d')
})

test('§4 a page of a rolled-back release answers 410 if it is deleted before the next publish', async (t) => {
  const { db, dataDir, publish, get } = await aSite(t)
  await publish()
  await addEntry(db, 'pages', { slug: 'sale', title: 'Sale' })
  await publish()
  await rollBack(db, {
    dataDir,
    starter: { startedBy: 'command' },
    now: new Date('2026-11-20T12:00:00.000Z'),
  })
  await db.deleteFrom('content_entries').where('slug', '=', 'sale').execute()
  await publish()
  assert.equal(await get('/sale'), 410)
})

test('a redirect alone makes a new release, and no change makes none', async (t) => {
  const { publish, db, serviceId } = await aSite(t)
  await publish()
  const redirect_from_json = '["/cooling"]'
  await db.updateTable('content_entries').set({ redirect_from_json }).where('id', '=', serviceId).execute()
  assert.equal((await publish()).kind, 'published')
  assert.equal((await publish()).kind, 'unchanged')
})

test('a release without redirects has no file for static hosts', async (t) => {
  const { publish, dataDir } = await aSite(t)
  await publish()
  assert.equal(existsSync(join(findCurrentRelease(dataDir)?.siteDir ?? '', '_redirects')), false)
})
