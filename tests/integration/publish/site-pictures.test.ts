import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import sharp from 'sharp'
import { sha256Hex } from '#src/lib/canonical-json.ts'
import type { Picture } from '#src/pictures/picture.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { saveFiles } from '#src/publish/ledger/file-store.ts'
import { ledgerFile, openLedger } from '#src/publish/ledger/ledger-store.ts'
import {
  addEntryPictures,
  listUnusedFiles,
  makeEntryPictures,
  makeVariant,
  removeFormerPictures,
} from '#src/publish/pictures/entry-pictures.ts'
import { addSiteIcon } from '#src/publish/pictures/site-icons.ts'
import type { SiteFiles } from '#src/publish/release/site-writer.ts'
import { policyOfOwnPages } from '#src/publish/static-host/own-policy.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { goLive } from '../../support/live-release.ts'
import { aPicture } from '../../support/pictures.ts'

const RED = '#ff0000'

async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const store = openPictureFiles(dataDir)
  /** Stores a picture whose left half is red and whose right half is blue. */
  async function add(
    name: string,
    values: Partial<Picture> = {},
    { width = 40, height = 20, alpha = 1 } = {},
  ) {
    const left = sharp({ create: { width: width / 2, height, channels: 4, background: RED } })
    const half = await left.png().toBuffer()
    const background = { r: 0, g: 0, b: 255, alpha }
    const both = sharp({ create: { width, height, channels: 4, background } }).composite([
      { input: half, left: 0, top: 0 },
    ])
    const bytes = await (alpha === 1 ? both.removeAlpha() : both).png().toBuffer()
    const sha256 = sha256Hex(bytes)
    await store.write(sha256, bytes)
    return aPicture({ name, sha256, width, height, ...values })
  }
  const named = (...pictures: Picture[]) => new Map(pictures.map((picture) => [picture.name, picture]))
  const kept = join(dataDir, 'entry-pictures', '_astro')
  const list = () => (existsSync(kept) ? readdirSync(kept).sort() : [])
  return { db, dataDir, add, named, kept, list }
}

const start = ({ sha256 }: Picture) => sha256.slice(0, 16)

/** The color in the middle of the left and of the right edge. */
async function edges(file: string) {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const colorAt = (x: number, y: number) => {
    const at = (y * info.width + x) * info.channels
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
    return red > 200 && green > 200 ? 'white' : red > blue ? 'red' : blue > 100 ? 'blue' : 'black'
  }
  const middle = Math.floor(info.height / 2)
  return {
    size: [info.width, info.height],
    colors: [colorAt(0, middle), colorAt(info.width - 1, middle)],
    corner: colorAt(0, 0),
  }
}

test('a picture is made once in each encoding, with its visible part', async (t) => {
  const { db, dataDir, add, named, kept, list } = await aSite(t)
  const whole = await add('whole.png')
  const crop = { x: 0.5, y: 0, width: 0.5, height: 1 }
  const half = await add('half.png', { crop })
  const pictures = named(whole, half, { ...whole, name: 'again.png' })
  let made = 0
  const onPicture = () => {
    made += 1
  }
  const make = (given = pictures, more = {}) =>
    makeEntryPictures(db, { dataDir, pictures: given, ...more, onPicture })
  await make()
  assert.equal(made, 3)
  const [first = '', second = ''] = list().filter((name) => name.endsWith('.webp'))
  assert.equal(list().length, 4)
  assert.ok(list().every((name) => name.startsWith(`picture-${start(whole)}`)))
  const [cut, full] = first.length > second.length ? [first, second] : [second, first]
  assert.deepEqual(await edges(join(kept, full)), { size: [40, 20], colors: ['red', 'blue'], corner: 'red' })
  assert.deepEqual(await edges(join(kept, cut)), { size: [20, 20], colors: ['blue', 'blue'], corner: 'blue' })
  const avif = join(kept, full.replace('webp', 'avif'))
  assert.deepEqual((await edges(avif)).size, [40, 20])
  const { ino } = statSync(avif)
  await make()
  assert.equal(statSync(avif).ino, ino)
  await assert.rejects(make(named(aPicture({ name: 'gone.png' }))), {
    code: 'pictureGone',
    parts: ['gone.png'],
  })

  const added: string[] = []
  const writer = { keep: (file: string, from: string) => added.push(join(from, file)) }
  addEntryPictures(pictures, { dataDir, writer: writer as never })
  assert.deepEqual(
    added.toSorted(),
    list().map((name) => join(kept, name)),
  )
  writeFileSync(join(kept, 'picture-old-480.webp'), '')
  await removeFormerPictures(dataDir, named(whole))
  assert.deepEqual(list(), [avif, join(kept, full)].map((file) => file.slice(kept.length + 1)).sort())
  await removeFormerPictures(join(dataDir, 'none'), named(whole))
})

test('a picture of the live release is taken over, and one that no page shows is listed', async (t) => {
  const { db, dataDir, add, named, list, kept } = await aSite(t)
  const [one, other] = [await add('one.png'), await add('other.png', {}, { width: 60 })]
  const file = (picture: Picture, ending: string) =>
    `_astro/picture-${start(picture)}-${picture.width}.${ending}`
  const live = await goLive(dataDir)
  mkdirSync(join(live.siteDir, '_astro'))
  for (const ending of ['avif', 'webp']) writeFileSync(join(live.siteDir, file(one, ending)), 'live')
  await makeEntryPictures(db, { dataDir, pictures: named(one), live })
  assert.equal(list().length, 2)
  assert.equal(statSync(join(kept, '..', file(one, 'avif'))).size, 4)
  const ledger = openLedger(ledgerFile(dataDir))
  t.after(() => ledger.close())
  assert.deepEqual(listUnusedFiles(ledger, named(one)), [])
  const files = [file(one, 'avif'), file(other, 'webp'), '_astro/other.css']
  saveFiles(ledger, { written: files.map((name) => ({ file: name, hash: '', size: 1 })), removed: [] })
  assert.deepEqual(listUnusedFiles(ledger, named(one)), [file(other, 'webp')])
})

test('a page that is shown before a publish has its pictures made at once', async (t) => {
  const { db, dataDir, add, named } = await aSite(t)
  const [one, other] = [await add('one.png'), await add('other.png', {}, { width: 60 })]
  const gone = aPicture({ name: 'gone.png', width: 40 })
  const find = (name: string) => makeVariant(db, { dataDir, pictures: [one, other, gone], name })
  const nameOf = (picture: Picture, ending = 'webp') => `picture-${start(picture)}-${picture.width}.${ending}`
  for (const name of ['picture-0000-40.webp', `_astro/${nameOf(one)}`, nameOf(gone)])
    assert.equal(await find(name), undefined, name)
  const made = await find(nameOf(other))
  assert.equal(made, join(dataDir, 'picture-thumbnails', nameOf(other)))
  assert.deepEqual((await edges(made ?? '')).size, [60, 20])
  const { ino } = statSync(made ?? '')
  assert.equal(await find(nameOf(other)), made)
  assert.equal(statSync(made ?? '').ino, ino)
  await makeEntryPictures(db, { dataDir, pictures: named(one) })
  assert.equal(await find(nameOf(one)), join(dataDir, 'entry-pictures/_astro', nameOf(one)))
})

test('the icon of a site is its picture, its logo, or the first letter of its name', async (t) => {
  const { db, dataDir, add, named } = await aSite(t)
  const folder = join(dataDir, 'site-icons/_astro')
  const square = await add('square.png', {}, { width: 40, height: 40 })
  const clear = await add('clear.png', {}, { width: 40, height: 40, alpha: 0 })
  const wide = await add('wide.png')
  const pictures = named(square, clear, wide, aPicture({ name: 'gone.png' }))
  const kept: string[] = []
  const writer = { keep: (file: string) => kept.push(file) } as unknown as SiteFiles
  async function icons(settings: object, more = {}) {
    kept.length = 0
    const site = { settings: siteSettings.parse({ name: 'é Acme', ...settings }), pictures }
    await addSiteIcon(db, site, { dataDir, writer, ...more })
    const names = existsSync(folder) ? readdirSync(folder).sort() : []
    assert.deepEqual(
      kept.toSorted(),
      names.map((name) => `_astro/${name}`),
    )
    return Promise.all(
      [96, 180]
        .flatMap((width) => names.filter((name) => name.endsWith(`-${width}.png`)))
        .map((name) => edges(join(folder, name))),
    )
  }
  assert.deepEqual(await icons({}), [])
  const [favicon, touch] = await icons({ icon: 'square.png', logo: 'wide.png' })
  assert.deepEqual(favicon, { size: [96, 96], colors: ['red', 'blue'], corner: 'red' })
  assert.deepEqual(touch, { size: [180, 180], colors: ['red', 'blue'], corner: 'red' })
  writeFileSync(join(folder, `icon-${start(clear)}-180.png`), 'as an earlier version drew it')
  const [, padded] = await icons({ icon: 'clear.png' })
  assert.deepEqual(padded, { size: [180, 180], colors: ['white', 'white'], corner: 'white' })
  const [fitted, ground] = await icons({ icon: 'wide.png' })
  assert.deepEqual([fitted?.corner, ground?.corner, ground?.colors], ['black', 'white', ['red', 'blue']])
  const letters = await icons({ logo: 'wide.png', logo_shows_name: true })
  assert.deepEqual(
    letters.map(({ size }) => size),
    [
      [96, 96],
      [180, 180],
    ],
  )
  const files = readdirSync(folder)
  for (const file of files) {
    const { channels } = await sharp(join(folder, file)).stats()
    assert.ok(
      channels.some(({ min, max }) => min < max),
      'it shows the letter',
    )
  }
  const { ino } = statSync(join(folder, files[0] ?? ''))
  await icons({ logo: 'wide.png', logo_shows_name: true })
  assert.equal(statSync(join(folder, files[0] ?? '')).ino, ino)
  await assert.rejects(icons({ icon: 'gone.png' }), { code: 'pictureGone', parts: ['gone.png'] })
  assert.deepEqual(await icons({}), [], 'those of former settings are deleted')
  const live = await goLive(dataDir)
  mkdirSync(join(live.siteDir, '_astro'))
  for (const file of files) writeFileSync(join(live.siteDir, '_astro', file), 'live')
  await addSiteIcon(
    db,
    { settings: siteSettings.parse({ name: 'é Acme', logo: 'wide.png', logo_shows_name: true }), pictures },
    { dataDir, writer, live },
  )
  assert.deepEqual(
    readdirSync(folder).map((name) => statSync(join(folder, name)).size),
    [4, 4],
  )
})

test('a static host allows what the site’s own pages run and load', async (t) => {
  const dataDir = temporaryFolder(t)
  const release = await goLive(dataDir, {
    pages: [
      { path: '/own', reads: '[]' },
      { path: '/a/other', reads: '["services"]' },
      { path: '/of-program' },
      { path: '/feed.xml', reads: '[]' },
      { path: '/plain', reads: '[]' },
    ],
  })
  mkdirSync(join(release.siteDir, 'a'))
  const page = (policy: string) => `<head><meta name="tag-policy" content="${policy}"></head>`
  const files = {
    'own.html': page('script-src https://a.example; img-src https://b.example'),
    'a/other.html': page('script-src https://c.example'),
    'of-program.html': page('script-src https://d.example'),
    'plain.html': '<head></head>',
  }
  for (const [file, html] of Object.entries(files)) writeFileSync(join(release.siteDir, file), html)
  const policy = policyOfOwnPages(release, { dataDir })
  assert.deepEqual([...policy].map(([directive, sources]) => [directive, ...sources]).toSorted(), [
    ['img-src', 'https://b.example'],
    ['script-src', 'https://c.example', 'https://a.example'],
  ])
})
