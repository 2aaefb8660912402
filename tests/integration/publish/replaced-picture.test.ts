import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import sharp from 'sharp'
import type { Schema } from '#src/db/schema.ts'
import { addPicture, replacePicture } from '#src/pictures/add-picture.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { notePictureUses } from '#src/pictures/picture-use-store.ts'
import { loadPending } from '#src/publish/pending/pending-changes.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { listPicturePlaces } from '#src/site/pictures/picture-places.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { temporaryFolder } from '../../support/database.ts'
import { aPhoto } from '../../support/photos.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { addEntry } from '../../support/small-site.ts'

async function setFields(db: Kysely<Schema>, slug: string, data: Record<string, unknown>) {
  const row = await db
    .updateTable('content_entries')
    .set({ data_json: JSON.stringify(data) })
    .where('slug', '=', slug)
    .returning(['id', 'body'])
    .executeTakeFirstOrThrow()
  await notePictureUses(db, [{ ...row, data }], { isNew: false })
}

async function rowOf(db: Kysely<Schema>, slug: string) {
  const { id, data_json } = await db
    .selectFrom('content_entries')
    .select(['id', 'data_json'])
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow()
  return { id, data: JSON.parse(data_json) as Record<string, unknown> }
}

const NOW = { now: '2026-11-20T10:00:00.000Z' }
const FILE = /\/_astro\/picture-[\w-]+\.avif/g

async function picturesOn(dataDir: string, file: string): Promise<string[]> {
  const siteDir = findCurrentRelease(dataDir)?.siteDir ?? ''
  const html = await readFile(join(siteDir, file), 'utf8')
  const found = [...new Set(html.match(FILE))].sort()
  for (const path of found) assert.ok(existsSync(join(siteDir, path)), path)
  return found
}

test('a replaced picture renders exactly the pages that show it', async (t) => {
  const { db, dataDir, publish } = await aPublishedSite(t)
  const files = openPictureFiles(dataDir)
  const folder = temporaryFolder(t)
  const photo = async (name: string, color: string) => {
    const path = join(folder, name)
    writeFileSync(path, await aPhoto({ color, width: 600, height: 400 }))
    return { path, name }
  }
  const van = await addPicture(db, files, await photo('van.jpg', '#2f42a5'), NOW)
  await addPicture(db, files, await photo('dallas.jpg', '#a52f42'), NOW)
  assert.ok(van.kind === 'saved')
  const setData = (slug: string, data: Record<string, unknown>) => setFields(db, slug, data)
  await setData('ac-repair', { hero: 'van.jpg' })
  await setData('ac-repair/dallas', { ...(await rowOf(db, 'ac-repair/dallas')).data, hero: 'dallas.jpg' })
  await addEntry(db, 'pages', { slug: 'about', title: 'About', body: '![Our van](van.jpg)' })
  await addEntry(db, 'pages', { slug: 'terms', title: 'Terms', body: 'No pictures' })
  await publish()
  const [service1, dallas1] = [
    await picturesOn(dataDir, 'services/ac-repair.html'),
    await picturesOn(dataDir, 'services/ac-repair/dallas.html'),
  ]
  assert.ok(service1.length > 0 && dallas1.length > 0)

  const { path } = await photo('other.jpg', '#42a52f')
  await replacePicture(db, files, { id: van.value.id, path }, NOW)
  const { plan } = await publish()
  // The service, Austin, and About; Dallas has a picture of its own.
  assert.deepEqual([plan.added, plan.changed, plan.removed], [0, 3, 0])
  const params = { kind: 'picture', name: 'van.jpg' }
  assert.deepEqual(
    plan.causes.map(({ cause, pages }) => ({ cause, pages })),
    [{ cause: { code: 'source_edited', params }, pages: plan.changed + plan.renderedSame }],
  )
  const { places, count, pages } = await listPicturePlaces(db, 'van.jpg')
  assert.deepEqual(
    places.map(({ title, localPages }) => [title, localPages]),
    [
      ['AC repair', 1],
      ['About', 0],
    ],
  )
  assert.deepEqual([count, pages], [2, 3])
  const service2 = await picturesOn(dataDir, 'services/ac-repair.html')
  assert.equal(service2.length, service1.length)
  assert.ok(service2.every((file) => !service1.includes(file)))
  assert.deepEqual(await picturesOn(dataDir, 'services/ac-repair/austin.html'), service2)
  assert.deepEqual(await picturesOn(dataDir, 'services/ac-repair/dallas.html'), dallas1)

  const pendingAfter = async (color: string) => {
    await replacePicture(db, files, { id: van.value.id, path: (await photo('next.jpg', color)).path }, NOW)
    const pending = await loadPending(db, { dataDir, now: new Date(NOW.now) })
    return pending?.changes.map(({ name }) => name)
  }
  assert.deepEqual(await pendingAfter('#2f42a5'), ['van.jpg'])
  assert.deepEqual(await pendingAfter('#42a52f'), [])
})

test('picture files are created when a page first shows them, and the icon with the logo', async (t) => {
  const { db, dataDir, publish } = await aPublishedSite(t)
  const files = openPictureFiles(dataDir)
  const folder = temporaryFolder(t)
  for (const [name, color] of [
    ['van.jpg', '#2f42a5'],
    ['unused.jpg', '#a52f42'],
    ['mark.jpg', '#42a52f'],
  ] as const) {
    const path = join(folder, name)
    writeFileSync(path, await aPhoto({ color, width: 60, height: 40 }))
    await addPicture(db, files, { path, name }, NOW)
  }
  const made = () =>
    readdirSync(join(findCurrentRelease(dataDir)?.siteDir ?? '', '_astro'))
      .filter((name) => /^(picture|icon)-/.test(name))
      .sort()
  await publish()
  assert.deepEqual(made(), [])

  const [dallas, austin] = [await rowOf(db, 'ac-repair/dallas'), await rowOf(db, 'ac-repair/austin')]
  await setFields(db, 'ac-repair/dallas', { ...dallas.data, hero: 'van.jpg' })
  const { scope } = await publish()
  assert.equal(scope, 'changes')
  assert.equal(made().length, 2)
  assert.equal((await picturesOn(dataDir, 'services/ac-repair/dallas.html')).length, 1)

  // The file goes with the last page that shows it, though few pages are compared, and comes back with the next one.
  await setFields(db, 'ac-repair/dallas', dallas.data)
  assert.equal((await publish()).scope, 'changes')
  assert.deepEqual(made(), [])
  await setFields(db, 'ac-repair/dallas', { ...dallas.data, hero: 'van.jpg' })
  assert.equal((await publish()).scope, 'changes')
  assert.equal(made().length, 2)

  const settings = siteSettings.parse({ name: 'Bluebonnet', quality_threshold: 0, logo: 'mark.jpg' })
  await saveSiteSettings(db, settings, NOW)
  await publish()
  const icons = made().filter((name) => name.startsWith('icon-'))
  assert.equal(made().length, 6)

  await setFields(db, 'ac-repair/austin', { ...austin.data, hero: 'unused.jpg' })
  await setFields(db, 'ac-repair/dallas', dallas.data)
  const only = [{ subject: 'entry', subjectId: `${austin.id}` }] as const
  await publish({ starter: { startedBy: 'admin', only } })
  assert.equal(made().length, 8, 'Dallas shows its picture still')
  await publish({ full: true })
  assert.equal(made().length, 6)
  const siteDir = findCurrentRelease(dataDir)?.siteDir ?? ''
  const home = await readFile(join(siteDir, 'index.html'), 'utf8')
  assert.deepEqual(home.match(/icon-[\w-]+\.png/g)?.sort(), icons)
  const sizes = await Promise.all(icons.map((name) => sharp(join(siteDir, '_astro', name)).metadata()))
  assert.deepEqual(
    sizes.map(({ width, height }) => [width, height]),
    [
      [180, 180],
      [96, 96],
    ],
  )
})
