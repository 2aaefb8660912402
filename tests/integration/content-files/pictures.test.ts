import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import sharp from 'sharp'
import { listConflicts } from '#src/content-files/conflicts/conflict-store.ts'
import { settleConflict } from '#src/content-files/conflicts/settle-conflict.ts'
import { formatMistake } from '#src/content-files/parsing/mistake.ts'
import { syncContent } from '#src/content-files/syncing/sync-content.ts'
import { connectDatabase } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import { findEntry } from '#src/entries/entry-store.ts'
import { discardDraft, findEntryDraft, saveDraft } from '#src/entries/history/entry-draft.ts'
import { emptyTrash } from '#src/entries/trash/empty-trash.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { conflictReasons } from '#src/messages/files/conflicts.ts'
import { changePicture } from '#src/pictures/change-picture.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { pictureSubject } from '#src/pictures/picture-history.ts'
import {
  listPictures,
  listPicturesByName,
  type NewPicture,
  savePicture,
} from '#src/pictures/picture-store.ts'
import { findMissingFiles, sweepPictures } from '#src/pictures/sweep-pictures.ts'
import { restoreTrashedPicture, trashPicture } from '#src/pictures/trash-picture.ts'
import { createFingerprint } from '#src/site/content/fingerprint.ts'
import type { EntryView } from '#src/site/pages/entry-page.ts'
import { listPages } from '#src/site/pages/list-pages.ts'
import type { Page } from '#src/site/pages/page.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { listVersions } from '#src/versions/version-store.ts'
import { atEnd } from '../../support/at-end.ts'
import { temporaryFolder } from '../../support/database.ts'
import { runScript } from '../../support/running-site.ts'
import { soakLength } from '../../support/soak.ts'
import { assertTells } from '../../support/wording.ts'
import { openWorkspace, secretBox } from './workspace.ts'

const siteUrl = 'https://example.com'
const DAY_MS = 86_400_000

function aPicture(width: number, height: number, format: 'jpeg' | 'png' = 'jpeg') {
  return sharp({ create: { width, height, channels: 3, background: '#2f42a5' } })
    [format]()
    .toBuffer()
}

async function aWorkspace(t: Parameters<typeof openWorkspace>[0], pictures: Record<string, Buffer | string>) {
  const workspace = await openWorkspace(t, {
    'pages/about.md': '---\ntitle: About\npicture: shop.jpg\npicture_alt: The shop\n---\nText\n',
  })
  const folder = join(workspace.contentDir, 'pictures')
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of Object.entries(pictures)) writeFileSync(join(folder, name), bytes)
  return { ...workspace, folder }
}

async function pictureOf(db: Parameters<typeof listPages>[0], path: string) {
  for await (const page of listPages(db, { siteUrl })) {
    if (page.path === path) return (page as Page<EntryView>).view.detail.picture
  }
  throw new Error(`no page ${path}`)
}

test('a picture that changes during a sync is stored as it was read', async (t) => {
  const { db, sync, folder, pictureFiles } = await aWorkspace(t, { 'shop.jpg': await aPicture(1000, 500) })
  const update = () => writeFileSync(join(folder, 'shop.jpg'), 'half')
  const { kind } = await sync({ progress: { ...silentProgress, update } })
  assert.equal(kind, 'synced')
  const { sha256 = '' } = (await listPictures(db)).get('shop.jpg') ?? {}
  assert.equal(
    createHash('sha256')
      .update((await pictureFiles.read(sha256)) ?? '')
      .digest('hex'),
    sha256,
  )
})

test('a picture whose orphan is swept during its sync is stored again', async (t) => {
  const bytes = await aPicture(1000, 500)
  const { db, sync, pictureFiles } = await aWorkspace(t, { 'shop.jpg': bytes })
  await pictureFiles.write(createHash('sha256').update(bytes).digest('hex'), bytes)
  let isSwept = false
  const has = async (sha256: string) => {
    const found = await pictureFiles.has(sha256)
    if (!isSwept) await sweepPictures(db, { files: pictureFiles, now: new Date(Date.now() + 2 * DAY_MS) })
    isSwept = true
    return found
  }
  assert.equal((await sync({ pictureFiles: { ...pictureFiles, has } })).kind, 'synced')
  assert.deepEqual(await findMissingFiles(db, pictureFiles), [])
})

test('a picture that a person takes from its file is stored for all servers', async (t) => {
  const [dataDir, shared] = [temporaryFolder(t), temporaryFolder(t)]
  const databaseUrl = `file:${join(dataDir, 'signpost.db')}`
  const db = connectDatabase(databaseUrl)
  atEnd(t, () => db.destroy())
  await migrate(db)
  const contentDir = temporaryFolder(t)
  mkdirSync(join(contentDir, 'pictures'))
  const write = async (width: number) =>
    writeFileSync(join(contentDir, 'pictures/shop.jpg'), await aPicture(width, 300))
  const pictureFiles = openPictureFiles(dataDir, openDiskFiles(shared))
  const secretKey = new Uint8Array(32).fill(7)
  const sync = () =>
    syncContent(db, {
      ...{ contentDir, pictureFiles, environment: {}, secretBox, now: new Date(), prefer: undefined },
    })
  await write(600)
  assert.equal((await sync()).kind, 'synced')
  const saved = (await listPicturesByName(db, ['shop.jpg'])).get('shop.jpg')
  assert.ok(saved)
  await savePicture(db, { ...saved, alt: 'Ours' }, { now: new Date().toISOString() })
  await write(700)
  assert.equal((await sync()).kind, 'conflicts')
  const [conflict] = await listConflicts(db, { limit: 1 })
  await sweepPictures(db, { files: pictureFiles, now: new Date(Date.now() + 2 * DAY_MS) })
  const { path = '', version = '' } = conflict ?? {}
  const known = { contentDir, dataDir, databaseUrl, secretKeys: [secretKey] }
  const sharedPlace = { kind: 'disk', folder: shared } as const
  const answer = await settleConflict({ ...known, sharedPlace, path, version, prefer: 'file' })
  assert.equal(answer.kind, 'settled')
  assert.deepEqual(await findMissingFiles(db, pictureFiles), [])
})

test('a page shows its picture in every smaller width, with its size and alternative text', async (t) => {
  const { db, synced } = await aWorkspace(t, { 'shop.jpg': await aPicture(1000, 500) })
  await synced()
  const picture = await pictureOf(db, '/about')
  assert.deepEqual([picture?.width, picture?.height, picture?.alt], [1000, 500, 'The shop'])
  assert.deepEqual(
    picture?.srcset.split(', ').map((one) => one.split(' ')[1]),
    ['480w', '800w', '1000w'],
  )
})

test('picture names match in any Unicode normalization', async (t) => {
  const [composed, decomposed] = [`caf\u00e9.jpg`, `cafe\u0301.jpg`]
  for (const [file, named] of [
    [decomposed, composed],
    [composed, decomposed],
  ] as const) {
    const { db, synced, write } = await aWorkspace(t, { [file]: await aPicture(600, 300) })
    write('pages/about.md', `---\ntitle: About\npicture: ${named}\n---\n`)
    write('site.yaml', `name: Bluebonnet\nlogo: ${named}\n`)
    await synced()
    assert.equal((await pictureOf(db, '/about'))?.height, 300)
    assert.deepEqual([...(await listPictures(db)).keys()], [composed])
    assert.equal((await findSiteSettings(db)).logo, composed)
  }
})

test('a changed picture gets new addresses, and a removed one is gone', async (t) => {
  const { db, synced, folder, write } = await aWorkspace(t, { 'shop.jpg': await aPicture(600, 300) })
  await synced()
  const before = await pictureOf(db, '/about')
  writeFileSync(join(folder, 'shop.jpg'), await aPicture(600, 400))
  await synced()
  const after = await pictureOf(db, '/about')
  assert.notEqual(after?.src, before?.src)
  assert.equal(after?.height, 400)
  rmSync(join(folder, 'shop.jpg'))
  write('pages/about.md', '---\ntitle: About\n---\nText\n')
  await synced()
  assert.equal((await listPictures(db)).size, 0)
})

test('removing the file of a picture that only a draft uses is a conflict', async (t) => {
  const { db, sync, synced, folder, write } = await aWorkspace(t, { 'shop.jpg': await aPicture(600, 300) })
  write('pages/about.md', '---\ntitle: About\n---\nText\n')
  await synced()
  const type = await findContentType(db, 'pages')
  const page = type && (await findEntry(db, type.id, 'about'))
  assert.ok(page)
  const input = { ...emptyEntryInput({}), slug: 'about', title: 'About', body: '![Shop](shop.jpg)' }
  const outcome = await saveDraft(db, { type, id: page.id, input }, { now: new Date() })
  assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))

  rmSync(join(folder, 'shop.jpg'))
  const result = await sync()
  assert.equal(result.kind, 'conflicts')
  const told = result.conflicts.map(({ path, message }) => `${path}: ${message}`)
  assert.deepEqual(told, [`pictures/shop.jpg: ${conflictReasons.pictureLoss('pages/about')}`])
  assert.ok((await listPictures(db)).has('shop.jpg'))

  const draft = await findEntryDraft(db, page.id)
  assert.ok(draft)
  await discardDraft(db, { id: page.id, versionId: draft.version.id })
  await synced()
  assert.equal((await listPictures(db)).size, 0)
})

test('removing the file of a logo that was chosen in the admin is a conflict', async (t) => {
  const { db, sync, synced, folder, write } = await aWorkspace(t, { 'shop.jpg': await aPicture(600, 300) })
  write('pages/about.md', '---\ntitle: About\n---\nText\n')
  await synced()
  await changeSiteSettings(db, { changes: { logo: 'shop.jpg' } }, { now: new Date() })
  rmSync(join(folder, 'shop.jpg'))
  const result = await sync()
  assert.equal(result.kind, 'conflicts')
  const told = result.conflicts.map(({ path, message }) => `${path}: ${message}`)
  assert.deepEqual(told, [`pictures/shop.jpg: ${conflictReasons.pictureLoss('site.yaml')}`])
  assert.ok((await listPictures(db)).has('shop.jpg'))
})

test('a picture in the trash keeps its files and can be restored for 30 days', async (t) => {
  const bytes = await aPicture(600, 300)
  const { db, synced, folder, write, pictureFiles } = await aWorkspace(t, { 'shop.jpg': bytes })
  write('pages/about.md', '---\ntitle: About\n---\nText\n')
  const text = 'alt: The shop\nfocal_point: [0.1, 0.9]\ntags: [shop]\n'
  writeFileSync(join(folder, 'shop.yaml'), text)
  await synced()
  writeFileSync(join(folder, 'shop.jpg'), await aPicture(600, 400))
  await synced()
  const stateOf = async () => {
    const picture = (await listPictures(db)).get('shop.jpg')
    const { id = 0 } = (await listPicturesByName(db, ['shop.jpg'])).get('shop.jpg') ?? {}
    return { picture, id, versions: await listVersions(db, pictureSubject(id), { limit: 9 }) }
  }
  const before = await stateOf()
  assert.equal(before.versions.length, 2)
  for (const name of ['shop.jpg', 'shop.yaml']) rmSync(join(folder, name))
  await synced()
  const [trashed] = await listTrash(db, { limit: 1 })
  assert.deepEqual([trashed?.subject.kind, trashed?.source, trashed?.parts], ['picture', 'file', 1])
  const soon = new Date(Date.now() + 2 * DAY_MS)
  assert.equal(await sweepPictures(db, { files: pictureFiles, now: soon }), 0)
  assert.deepEqual(await findMissingFiles(db, pictureFiles), [])
  const restored = await restoreTrashedPicture(db, trashed?.id ?? 0)
  assert.deepEqual(restored, { kind: 'saved', value: { id: before.id, name: 'shop.jpg' } })
  assert.deepEqual(await stateOf(), before)
  assert.deepEqual(await restoreTrashedPicture(db, trashed?.id ?? 0), { kind: 'not_found' })

  const part = fc.double({ min: 0, max: 1, noNaN: true })
  const facts = fc.record({
    alt: fc.option(fc.string({ maxLength: 500, unit: 'grapheme' })),
    focalPoint: fc.option(fc.tuple(part, part)),
    crop: fc.constantFrom(null, { x: 0.1, y: 0, width: 0.7, height: 1 / 3 }),
    tags: fc.subarray(['van', 'team “A”', '😀']),
  })
  for (const change of fc.sample(facts, { numRuns: soakLength(50, 1_000), seed: 24 })) {
    await changePicture(db, { id: before.id, change }, { now: new Date().toISOString() })
    const state = await stateOf()
    await db.transaction().execute((trx) => trashPicture(trx, 'shop.jpg', { now: new Date().toISOString() }))
    const [newest] = await listTrash(db, { limit: 1 })
    assert.equal((await restoreTrashedPicture(db, newest?.id ?? 0)).kind, 'saved')
    assert.deepEqual(await stateOf(), state)
  }

  const other = { ...before.picture, name: 'shop.png' } as NewPicture
  const saving = { now: new Date().toISOString() }
  await db.transaction().execute((trx) => trashPicture(trx, 'shop.jpg', saving))
  await savePicture(db, other, saving)
  const [again] = await listTrash(db, { limit: 1 })
  const refused = await restoreTrashedPicture(db, again?.id ?? 0)
  assert.ok(refused.kind === 'invalid' && refused.problems[0]?.params.by === 'shop.png')
  await db.transaction().execute((trx) => trashPicture(trx, 'shop.png', saving))

  const late = new Date(Date.now() + 31 * DAY_MS)
  assert.equal(await emptyTrash(db, { now: late }), 2)
  assert.equal(await sweepPictures(db, { files: pictureFiles, now: late }), 2)
  assert.deepEqual(await pictureFiles.list(), [])
})

test('contract §3 an invalid or missing picture is an error with its position', async (t) => {
  const { sync, write } = await aWorkspace(t, {
    'notes.jpg': 'not a picture',
    'void.png': '',
    'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  })
  write('site.yaml', 'name: Bluebonnet\nlogo: logo.png\n')
  const result = await sync()
  assert.ok(result.kind === 'mistakes')
  assert.deepEqual(
    result.mistakes.map((mistake) => formatMistake(mistake, 'content')),
    [
      'content/pages/about.md:3: unknown picture "shop.jpg", expected one of: logo.svg, notes.jpg, void.png in pictures/',
      'content/pictures/logo.svg:1: this picture cannot be read, expected JPEG, PNG, WebP, or AVIF',
      'content/pictures/notes.jpg:1: this picture cannot be read, expected JPEG, PNG, WebP, or AVIF',
      'content/pictures/void.png:1: this picture cannot be read, expected JPEG, PNG, WebP, or AVIF',
      'content/site.yaml:2: unknown picture "logo.png", expected one of: logo.svg, notes.jpg, void.png in pictures/',
    ],
  )
})

test('contract §8 a text with a missing or external picture is an error with its line', async (t) => {
  const { sync, write } = await aWorkspace(t, { 'shop.jpg': await aPicture(600, 300) })
  const text =
    'Hello\n\n![ok](/pictures/shop.jpg)\n![Van](../pictures/shops.jpg)\n\n![Van](shops.jpg) ![x](https://example.com/x.jpg)'
  write('pages/about.md', `---\ntitle: About\n---\n\n${text}\n`)
  write(
    'forms/quote.yaml',
    'name: Quote\nfields: [{ name: a, label: A }]\nsettings:\n  success_body: "![x](boiler.jpg)"\n',
  )
  const result = await sync()
  assert.ok(result.kind === 'mistakes', JSON.stringify(result))
  assert.deepEqual(
    result.mistakes.map((mistake) => formatMistake(mistake, 'content')),
    [
      'content/forms/quote.yaml:4: unknown picture "boiler.jpg", expected one of: shop.jpg in pictures/',
      'content/pages/about.md:8: unknown picture "shops.jpg", expected one of: shop.jpg in pictures/',
      'content/pages/about.md:10: the picture https://example.com/x.jpg is on another site, expected a file in pictures/',
    ],
  )
})

test('a missing picture’s error suggests similar names', async (t) => {
  const bytes = await aPicture(60, 30)
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a-${index}.jpg`, bytes]))
  const { sync, write } = await aWorkspace(t, { ...many, 'boiler-room.jpg': bytes, 'shop.jpg': bytes })
  write('pages/more.md', '---\ntitle: More\n---\n![x](boiler-rooms.jpg)\n')
  const result = await sync()
  assert.ok(result.kind === 'mistakes')
  assertTells(
    result.mistakes[0],
    /^unknown picture "boiler-rooms.jpg", expected one of: boiler-room.jpg, .*, … in pictures\/$/,
  )
})

test('a page whose text shows a picture changes only with that picture’s bytes', async (t) => {
  const { db, synced, folder, write } = await aWorkspace(t, {
    'shop.jpg': await aPicture(600, 300),
    'van.jpg': await aPicture(500, 300),
  })
  write('pages/about.md', '---\ntitle: About\n---\n![The shop](shop.jpg)\n')
  const fingerprint = async () => {
    await synced()
    for await (const page of listPages(db, { siteUrl })) {
      if (page.path === '/about') return createFingerprint('')(page)
    }
    return undefined
  }
  const before = await fingerprint()
  writeFileSync(join(folder, 'van.jpg'), await aPicture(500, 400))
  assert.equal(await fingerprint(), before)
  writeFileSync(join(folder, 'shop.jpg'), await aPicture(600, 400))
  assert.notEqual(await fingerprint(), before)
})

test('contract §3 a broken picture is an error in its file and doesn’t fail a publish', async (t) => {
  const noise = await sharp({
    create: {
      ...{ width: 300, height: 200, channels: 3, background: '#2f42a5' },
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg()
    .toBuffer()
  const { sync, db, folder, contentDir } = await aWorkspace(t, {
    'shop.jpg': noise,
    'tall.png': await aPicture(20, 400, 'png'),
  })
  writeFileSync(join(folder, 'cut.jpg'), noise.subarray(0, noise.length / 2))
  const messages = async () => {
    const result = await sync()
    return result.kind === 'mistakes'
      ? result.mistakes.map((one) => formatMistake(one, 'content'))
      : result.kind
  }
  const [cut, tall] = await messages()
  assert.match(cut ?? '', /^content\/pictures\/cut.jpg:1: the picture is incomplete \(.+\), expected/)
  assert.match(
    tall ?? '',
    /^content\/pictures\/tall.png:1: .* 400 pixels tall and 20 wide, expected a height of at most 10 times/,
  )
  for (const name of ['cut.jpg', 'tall.png']) rmSync(join(folder, name))
  assert.equal(await messages(), 'synced')
  rmSync(folder, { recursive: true })
  writeFileSync(join(contentDir, 'pictures'), 'no folder')
  assert.match((await messages())[1] ?? '', /^content\/pictures:1: the folder cannot be read \(ENOTDIR\)/)
  assert.equal((await listPictures(db)).size, 1)
})

test('a publish creates a picture’s files once, and the release contains them', async (t) => {
  const contentDir = temporaryFolder(t)
  const dataDir = temporaryFolder(t)
  mkdirSync(join(contentDir, 'pages'), { recursive: true })
  mkdirSync(join(contentDir, 'pictures'))
  writeFileSync(join(contentDir, 'pages', 'about.md'), '---\ntitle: About\npicture: shop.png\n---\n')
  writeFileSync(join(contentDir, 'pictures', 'shop.png'), await aPicture(900, 300, 'png'))
  const build = async () => {
    const { code, output } = await runScript('build.ts', { dataDir, contentDir })
    assert.equal(code, 0, output)
  }
  const made = () => readdirSync(join(dataDir, 'entry-pictures', '_astro')).sort()
  const inode = (file: string) => statSync(join(dataDir, 'entry-pictures', '_astro', file)).ino
  await build()
  const files = made()
  assert.equal(files.length, 6)
  const inodes = files.map(inode)
  const html = readFileSync(join(dataDir, 'current', 'site', 'about.html'), 'utf8')
  const [, src = ''] = /<img class="sp-picture" src="([^"]+)"/.exec(html) ?? []
  const shown = join(dataDir, 'current', 'site', src)
  assert.ok(existsSync(shown))
  assert.deepEqual((({ width, height }) => [width, height])(await sharp(shown).metadata()), [900, 300])
  writeFileSync(join(contentDir, 'pages', 'more.md'), '---\ntitle: More\n---\n')
  await build()
  assert.deepEqual(made().map(inode), inodes)
  writeFileSync(join(contentDir, 'pictures', 'shop.png'), await aPicture(400, 300, 'png'))
  await build()
  assert.equal(made().length, 2)
})
