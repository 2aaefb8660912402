import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import sharp from 'sharp'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { addPicture, replacePicture } from '#src/pictures/add-picture.ts'
import { type LibraryQuestion, listLibrary, listPicturesById, listTags } from '#src/pictures/library-store.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { findPictureById, savePicture } from '#src/pictures/picture-store.ts'
import { preparePicture } from '#src/pictures/prepare-picture.ts'
import { findMissingFiles, readPictureBytes, sweepPictures } from '#src/pictures/sweep-pictures.ts'
import { findThumbnail, sweepThumbnails } from '#src/pictures/thumbnails.ts'
import { openTestDatabase, temporaryFolder } from '#tests/support/database.ts'
import { aPicture } from '#tests/support/pictures.ts'

const SAVING = { now: '2026-11-20T10:00:00.000Z', by: { source: 'admin', email: 'ann@example.com' } } as const
const TWO_DAYS_MS = 2 * 24 * 60 * 60_000

type Format = 'jpeg' | 'png' | 'webp' | 'avif'

async function aFile(
  t: TestContext,
  { format = 'png' as Format, width = 8, height = 4, color = '#2f42a5' } = {},
): Promise<string> {
  const path = join(temporaryFolder(t), 'upload')
  const background = { create: { width, height, channels: 3 as const, background: color } }
  writeFileSync(path, await sharp(background).toFormat(format).toBuffer())
  return path
}

async function aLibrary(t: TestContext) {
  const dataDir = temporaryFolder(t)
  return { dataDir, db: await openTestDatabase(t), files: openPictureFiles(dataDir) }
}

test('a picture gets a name of its own, and known bytes keep theirs', async (t) => {
  const { db, files } = await aLibrary(t)
  const add = async (name: string, color: string, alt?: string) => {
    const outcome = await addPicture(db, files, { path: await aFile(t, { color }), name, alt }, SAVING)
    assert.equal(outcome.kind, 'saved')
    return outcome.kind === 'saved' ? outcome.value : undefined
  }
  const first = await add('Our Van!.JPG', '#000')
  assert.deepEqual(first, { id: first?.id, name: 'our-van.png', isKnown: false })
  const second = await add('our-van.jpg', '#111')
  assert.equal(second?.name, 'our-van-2.png')
  assert.equal((await add('our van', '#222'))?.name, 'our-van-3.png')
  assert.equal((await add('王.jpg', '#333'))?.name, 'picture.png')
  const long = `${'x'.repeat(59)}-long.png`
  assert.equal((await add(long, '#444'))?.name, `${'x'.repeat(59)}.png`)

  assert.deepEqual(await add('again.png', '#000', 'A van'), {
    id: first?.id,
    name: 'our-van.png',
    isKnown: true,
  })
  const altOf = async () => (await findPictureById(db, first?.id ?? 0))?.alt
  assert.equal(await altOf(), 'A van', 'it had no description')
  await add('again.png', '#000', 'Another van')
  assert.equal(await altOf(), 'A van', 'it keeps its description')
})

test('a replaced picture keeps its frame only in the same shape', async (t) => {
  const { db, files } = await aLibrary(t)
  const frame = { focalPoint: [0.5, 0.25] as [number, number], crop: { x: 0, y: 0, width: 0.5, height: 0.5 } }
  const { id } = await savePicture(db, { ...aPicture({ width: 200, height: 100 }), ...frame }, SAVING)
  const replaceBy = async (size: { width: number; height: number }) => {
    const outcome = await replacePicture(db, files, { id, path: await aFile(t, size) }, SAVING)
    assert.equal(outcome.kind, 'saved')
    const { focalPoint, crop, width, height } = (await findPictureById(db, id)) ?? {}
    assert.deepEqual({ width, height }, size)
    return { focalPoint, crop }
  }
  assert.deepEqual(await replaceBy({ width: 20, height: 10 }), frame)
  assert.deepEqual(await replaceBy({ width: 20, height: 11 }), { focalPoint: null, crop: null })
  const missing = await replacePicture(db, files, { id: id + 1, path: await aFile(t) }, SAVING)
  assert.deepEqual(missing, { kind: 'not_found' })
  const text = join(temporaryFolder(t), 'text')
  writeFileSync(text, 'no picture')
  for (const [outcome, field] of [
    [await replacePicture(db, files, { id, path: text }, SAVING), 'file'],
    [await addPicture(db, files, { path: text, name: 'x' }, SAVING), 'files'],
  ] as const)
    assert.deepEqual(outcome, {
      kind: 'invalid',
      problems: [{ path: [field], code: 'upload_not_a_picture' }],
    })
})

for (const [format, ending] of [
  ['jpeg', 'jpg'],
  ['png', 'png'],
  ['webp', 'webp'],
  ['avif', 'webp'],
] as const)
  test(`a ${format} upload is stored as ${ending}`, async (t) => {
    const prepared = await preparePicture(await aFile(t, { format, width: 64, height: 32 }))
    assert.ok(prepared.kind === 'prepared')
    const { bytes, ...picture } = prepared.picture
    const stored = await sharp(bytes).metadata()
    assert.equal(stored.format, ending === 'jpg' ? 'jpeg' : ending)
    assert.deepEqual(picture, {
      ...{ ending, sha256: hash('sha256', bytes), width: 64, height: 32, size: bytes.length },
    })
  })

for (const [height, fault] of [
  [100, undefined],
  [101, { code: 'upload_too_high', params: { times: 10 } }],
] as const)
  test(`a picture 10 pixels wide may${fault ? ' not' : ''} be ${height} high`, async (t) => {
    const prepared = await preparePicture(await aFile(t, { width: 10, height }))
    assert.deepEqual(prepared.kind === 'refused' ? prepared.fault : undefined, fault)
  })

test('the library is searched for words, with signs of patterns taken as they are', async (t) => {
  const { db } = await aLibrary(t)
  for (const name of ['a_b.jpg', 'axb.jpg', '100%.jpg', '1000.jpg', 'c\\d.jpg'])
    await savePicture(
      db,
      aPicture({ name, tags: name.startsWith('a') ? ['50%_off'] : ['500off', 'Zoo'] }),
      SAVING,
    )
  const question: LibraryQuestion = { search: '', tag: '', state: 'all', alsoUsed: new Map() }
  const find = async (asked: Partial<LibraryQuestion>) =>
    (await listLibrary(db, { ...question, ...asked }, { limit: 10, offset: 0 }))
      .map(({ name }) => name)
      .sort()
  assert.deepEqual(await find({ search: 'a_b' }), ['a_b.jpg'])
  assert.deepEqual(await find({ search: '0%' }), ['100%.jpg', 'a_b.jpg', 'axb.jpg'])
  assert.deepEqual(await find({ search: '100%' }), ['100%.jpg'])
  assert.deepEqual(await find({ search: 'c\\d' }), ['c\\d.jpg'])
  assert.deepEqual(await find({ search: 'JPG  a_' }), ['a_b.jpg'], 'every word is in it')
  assert.deepEqual(await find({ tag: '50%_off' }), ['a_b.jpg', 'axb.jpg'])
  assert.deepEqual(await find({ state: 'unused', alsoUsed: new Map([['axb.jpg', 1]]), search: 'b.' }), [
    'a_b.jpg',
  ])
  assert.deepEqual(await listTags(db), ['50%_off', '500off', 'Zoo'])
  assert.deepEqual(await listPicturesById(db, []), [])
  const [first, second] = await listLibrary(db, question, { limit: 2, offset: 0 })
  const ids = [second?.id ?? 0, 999, first?.id ?? 0]
  assert.deepEqual(
    (await listPicturesById(db, ids)).map(({ id }) => id),
    [second?.id, first?.id],
  )
})

test('files without a picture are deleted after a day, and missing ones are listed', async (t) => {
  const { db, dataDir, files } = await aLibrary(t)
  const [kept, orphan, young] = ['kept', 'orphan', 'young'].map((name) => hash('sha256', name))
  assert.ok(kept && orphan && young)
  for (const sha256 of [kept, orphan, young]) await files.write(sha256, Buffer.from(sha256))
  const old = new Date(Date.now() - TWO_DAYS_MS)
  for (const sha256 of [kept, orphan]) utimesSync(files.pathOf(sha256), old, old)
  // What an interrupted write left.
  const unfinished = `${files.pathOf(kept)}.0f8fad5b-d9cb-469f-a165-70867728950e.tmp`
  writeFileSync(unfinished, '')
  utimesSync(unfinished, old, old)
  await savePicture(db, aPicture({ sha256: kept }), SAVING)
  assert.equal(await sweepPictures(db, { files, now: new Date() }), 2)
  assert.deepEqual(
    [kept, orphan, young].map((one) => existsSync(files.pathOf(one))),
    [true, false, true],
  )
  assert.ok(!existsSync(unfinished))
  assert.deepEqual(await findMissingFiles(db, files), [])
  await savePicture(db, aPicture({ name: 'gone.jpg', sha256: orphan }), SAVING)
  assert.deepEqual(await findMissingFiles(db, files), [orphan])
  assert.equal(await readPictureBytes(db, files, orphan), undefined)
  await assert.rejects(files.remove('../signpost.db'), /no file of the store/)
  assert.throws(() => files.pathOf('../signpost.db'), /names no picture/)
  assert.deepEqual(await openPictureFiles(join(dataDir, 'none')).list(), [])
})

test('bytes that an old version left in the database move to the disk', async (t) => {
  const { db, files } = await aLibrary(t)
  const bytes = Buffer.from('van')
  const [sha256, empty] = [hash('sha256', 'van'), hash('sha256', 'empty')]
  const row = { width: 8, height: 4, updated_at: SAVING.now }
  for (const [name, hashed, content] of [
    ['van.jpg', sha256, bytes],
    ['empty.jpg', empty, Buffer.alloc(0)],
  ] as const) {
    await db
      .insertInto('pictures')
      .values({ ...row, name, sha256: hashed, bytes: content })
      .execute()
    await savePicture(db, aPicture({ name, sha256: hashed }), SAVING)
  }
  assert.deepEqual(await readPictureBytes(db, files, sha256), bytes)
  assert.equal(await files.has(sha256), false)
  await sweepPictures(db, { files, now: new Date() })
  assert.deepEqual(await files.read(sha256), bytes)
  assert.deepEqual(await findMissingFiles(db, files), [empty])
})

test('an orphan that is written again is as young as a new file', async (t) => {
  const { files } = await aLibrary(t)
  const sha256 = hash('sha256', 'van')
  await files.write(sha256, Buffer.from('van'))
  const old = new Date(Date.now() - TWO_DAYS_MS)
  utimesSync(files.pathOf(sha256), old, old)
  await files.write(sha256, Buffer.from('van'))
  const [file] = await files.list()
  assert.equal(file?.file, sha256)
  assert.ok((file?.writtenAt.getTime() ?? 0) > Date.now() - 60_000)
})

test('a server reads, lists, and deletes pictures that another one stored', async (t) => {
  const store = openDiskFiles(temporaryFolder(t))
  const [here, there] = [temporaryFolder(t), temporaryFolder(t)]
  const [one, other] = [openPictureFiles(here, store), openPictureFiles(there, store)]
  const [sha256, copied] = [hash('sha256', 'van'), hash('sha256', 'roof')]
  await one.write(sha256, Buffer.from('van'))
  await one.write(copied, Buffer.from('roof'))
  assert.equal(await other.has(sha256), true)
  assert.ok(!existsSync(other.pathOf(sha256)), 'asking copies nothing')
  assert.equal(String(await other.read(sha256)), 'van')
  assert.equal(readFileSync(other.pathOf(sha256), 'utf8'), 'van', 'it keeps a copy')
  assert.equal(String(await other.read(copied)), 'roof')
  const listed = async (files: typeof one) => (await files.list()).map(({ file }) => file).sort()
  assert.deepEqual(await listed(other), [sha256, copied].sort())
  await other.remove(sha256)
  assert.equal(await one.has(sha256), false)
  assert.equal(await openPictureFiles(temporaryFolder(t), store).read(sha256), undefined)
  assert.deepEqual(await listed(openPictureFiles(temporaryFolder(t), store)), [copied])
})

test('thumbnails are made once, and deleted with their picture', async (t) => {
  const { db, dataDir, files } = await aLibrary(t)
  const folder = join(dataDir, 'thumbnails')
  await sweepThumbnails(db, folder)
  const path = await aFile(t, { width: 400, height: 200 })
  const added = await addPicture(db, files, { path, name: 'van.png' }, SAVING)
  assert.ok(added.kind === 'saved')
  const { sha256 = '' } = (await findPictureById(db, added.value.id)) ?? {}
  const make = (width: number) => findThumbnail(db, { files, folder }, { sha256, width })
  const [small, large] = [await make(320), await make(1280)]
  assert.deepEqual([(await sharp(small).metadata()).width, (await sharp(large).metadata()).width], [320, 400])
  writeFileSync(small ?? '', 'kept')
  assert.equal(await make(320), small)
  assert.equal(readFileSync(small ?? '', 'utf8'), 'kept', 'it is not made again')
  const gone = hash('sha256', 'gone')
  assert.equal(await findThumbnail(db, { files, folder }, { sha256: gone, width: 320 }), undefined)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${gone}-320.webp`), '')
  await sweepThumbnails(db, folder)
  assert.deepEqual([existsSync(small ?? ''), existsSync(join(folder, `${gone}-320.webp`))], [true, false])
})
