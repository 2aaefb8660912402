import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { addPicture, replacePicture } from '#src/pictures/add-picture.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { temporaryFolder } from '../../support/database.ts'
import { aPhoto } from '../../support/photos.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { addEntry } from '../../support/small-site.ts'

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
  const setData = (slug: string, data: object) =>
    db
      .updateTable('content_entries')
      .set({ data_json: JSON.stringify(data) })
      .where('slug', '=', slug)
      .execute()
  await setData('ac-repair', { hero: 'van.jpg' })
  const { data_json } = await db
    .selectFrom('content_entries')
    .select('data_json')
    .where('slug', '=', 'ac-repair/dallas')
    .executeTakeFirstOrThrow()
  await setData('ac-repair/dallas', { ...JSON.parse(data_json), hero: 'dallas.jpg' })
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
  const service2 = await picturesOn(dataDir, 'services/ac-repair.html')
  assert.equal(service2.length, service1.length)
  assert.ok(service2.every((file) => !service1.includes(file)))
  assert.deepEqual(await picturesOn(dataDir, 'services/ac-repair/austin.html'), service2)
  assert.deepEqual(await picturesOn(dataDir, 'services/ac-repair/dallas.html'), dallas1)
})
