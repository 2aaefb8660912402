import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { answerThumbnail } from '#src/admin/pictures/answer-thumbnail.ts'
import { readLibraryQuery } from '#src/admin/pictures/library-query.ts'
import { receiveDescriptions } from '#src/admin/pictures/receive-descriptions.ts'
import { receivePictures, receiveReplacement } from '#src/admin/pictures/receive-pictures.ts'
import { refuseSitePicture } from '#src/admin/pictures/refuse-site-picture.ts'
import { listAuditEntries } from '#src/auth/audit/audit-store.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { findPictureById, savePicture } from '#src/pictures/picture-store.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { listVersions } from '#src/versions/version-store.ts'
import { anAdminPage } from '../../../support/admin-page.ts'
import { temporaryFolder } from '../../../support/database.ts'
import { aPhoto } from '../../../support/photos.ts'
import { aPicture } from '../../../support/pictures.ts'
import { aPost } from '../../../support/uploads.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')

/** A library, and a folder with files for it. */
async function aLibrary(t: TestContext) {
  const desk = await anAdminPage(t)
  const folder = temporaryFolder(t)
  const files = openDiskFiles(folder)
  Object.assign(desk.app, { pictureFiles: openPictureFiles(desk.dataDir), files })
  /** Returns what a post with these files gets. Files too large to be kept have no bytes. */
  const send = (
    sent: readonly { name: string; bytes?: Buffer; size?: number }[],
    fields: Record<string, string> = {},
  ) => {
    const receivedPictures = sent.map(({ name, bytes, size = bytes?.length ?? 0 }, index) => {
      const path = bytes && join(folder, `file-${index}`)
      if (path) writeFileSync(path, bytes)
      return { path, name, size }
    })
    const context = desk.open('/admin/pictures/new', { post: fields })
    Object.assign(context.locals, { receivedPictures })
    return context
  }
  const add = (...[sent, fields, needsAlt = false]: [...Parameters<typeof send>, needsAlt?: boolean]) =>
    receivePictures(send(sent, fields), { needsAlt })
  const stored = (id = 0) => findPictureById(desk.db, id)
  return { ...desk, files, send, add, stored }
}

test('pictures are added in order, and each file that can’t be says why', async (t) => {
  const { db, add, stored } = await aLibrary(t)
  const { added, refused } = await add(
    [
      { name: 'Our Van.JPG', bytes: await aPhoto({ width: 90, height: 60 }) },
      { name: 'empty.png' },
      { name: 'large.png', size: 30 * 1024 * 1024 },
      { name: 'notes.txt', bytes: Buffer.from('Hello') },
      { name: 'crew.jpg', bytes: await aPhoto({ width: 90, height: 60, color: '#ffffff' }) },
    ],
    // It could be of any of them.
    { alt: 'Our van' },
  )
  assert.deepEqual(
    added.map(({ name, isKnown }) => [name, isKnown]),
    [
      ['our-van.jpg', false],
      ['crew.jpg', false],
    ],
  )
  assert.deepEqual(
    refused.map(({ name }) => name),
    ['empty.png', 'large.png', 'notes.txt'],
  )
  assert.equal(new Set(refused.map(({ reason }) => reason)).size, 3)
  assert.match(refused[1]?.reason ?? '', /25 MB/)
  assert.deepEqual([(await stored(added[0]?.id))?.alt, (await stored(added[1]?.id))?.alt], [null, null])
  const entries = await listAuditEntries(db, { limit: 9 })
  assert.deepEqual(entries.map(({ action, subjectId }) => [action, subjectId]).reverse(), [
    ...added.map(({ id }) => ['picture.added', String(id)]),
  ])
  assert.match(entries[1]?.summary ?? '', /our-van\.jpg/)
  const [version] = await listVersions(db, { kind: 'picture', id: added[0]?.id ?? 0 }, { limit: 1 })
  assert.partialDeepStrictEqual(version, { source: 'admin', savedBy: 'ann@example.com' })
})

test('a single picture may come with its description, and editors must give one', async (t) => {
  const { db, add, stored } = await aLibrary(t)
  const van = { name: 'van.jpg', bytes: await aPhoto({ width: 90, height: 60 }) }
  const refusedFor = async (...given: Parameters<typeof add>) => {
    const { added, refused } = await add(...given)
    assert.equal(added.length, 0)
    return refused[0]?.reason
  }
  const missing = await refusedFor([van], {}, true)
  const tooLong = await refusedFor([van], { alt: 'x'.repeat(501) })
  assert.match(tooLong ?? '', /500/)
  assert.notEqual(missing, tooLong)
  assert.deepEqual(await listAuditEntries(db, { limit: 1 }), [])
  const { added } = await add([van], { alt: ' Our van ' }, true)
  assert.equal((await stored(added[0]?.id))?.alt, 'Our van')
  const crew = { name: 'crew.jpg', bytes: await aPhoto({ width: 90, height: 60, color: '#000000' }) }
  const decorative = await add([crew], { decorative: 'on' }, true)
  assert.equal((await stored(decorative.added[0]?.id))?.alt, '')
  // The library has the file already, under its first name.
  const again = await add([{ ...van, name: 'other.jpg' }])
  assert.deepEqual(again.added, [{ id: added[0]?.id, name: 'van.jpg', isKnown: true }])
  assert.equal((await listAuditEntries(db, { limit: 9 })).length, 2)
})

test('in development, files are read from the post, and deleted afterwards', async (t) => {
  const { open, files, stored } = await aLibrary(t)
  const photo = await aPhoto({ width: 90, height: 60 })
  const body = aPost({ files: [photo, 'van.jpg'], other: ['', ''], alt: 'Our van' })
  const { added, refused } = await receivePictures(open('/admin/pictures/new', { post: body }), {
    needsAlt: true,
  })
  assert.deepEqual([added.length, refused], [1, []])
  assert.deepEqual((await stored(added[0]?.id))?.alt, 'Our van')
  const left = readdirSync(files.localFolder, { recursive: true, withFileTypes: true })
  assert.deepEqual(
    left.filter((one) => one.isFile()),
    [],
  )
  assert.equal(
    await receiveReplacement(open('/x', { post: aPost({ file: [photo, 'v.jpg'] }) }), added[0]?.id ?? 0),
    undefined,
  )
  const plain = await receivePictures(open('/admin/pictures/new', { post: { alt: 'x' } }), { needsAlt: true })
  assert.deepEqual(plain, { added: [], refused: [] })
})

test('a picture is replaced by a file, or stays as it is', async (t) => {
  const { add, send, stored } = await aLibrary(t)
  const van = { name: 'van.jpg', bytes: await aPhoto({ width: 90, height: 60 }) }
  const id = (await add([van])).added[0]?.id ?? 0
  const before = await stored(id)
  const reasons = await Promise.all(
    [[], [{ name: 'a.jpg' }], [{ name: 'a.jpg', size: 1 }], [{ name: 'a.txt', bytes: Buffer.from('x') }]].map(
      (sent) => receiveReplacement(send(sent), id),
    ),
  )
  assert.equal(new Set(reasons.filter(Boolean)).size, 4)
  assert.deepEqual(await stored(id), before)
  const other = { name: 'other.jpg', bytes: await aPhoto({ width: 60, height: 60 }) }
  assert.equal(await receiveReplacement(send([other]), id), undefined)
  const after = await stored(id)
  assert.deepEqual([after?.name, after?.width], ['van.jpg', 60])
})

test('descriptions are stored together, or none of them', async (t) => {
  const { db, stored } = await aLibrary(t)
  const details = { focalPoint: [0.25, 0.5] as [number, number], crop: null, tags: ['van'] }
  const ids: number[] = []
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg'])
    ids.push((await savePicture(db, aPicture({ name, ...details }), { now: NOW.toISOString() })).id)
  const [a, b, c] = ids
  const receive = async (input: Record<string, string> | undefined) => {
    const faults: string[] = []
    const form = { input, fail: (field: string) => faults.push(field) }
    const pictures = await Promise.all(
      ids.map(async (id) => (await stored(id)) as NonNullable<Awaited<ReturnType<typeof stored>>>),
    )
    const count = await receiveDescriptions(db, form, pictures, { now: NOW.toISOString() })
    return { count, faults }
  }
  const given = { [`alt.${a}`]: ' A van ', [`decorative.${b}`]: 'on' }
  assert.deepEqual(await receive(given), { count: undefined, faults: [`alt.${c}`] })
  assert.deepEqual(await receive(undefined), { count: undefined, faults: ids.map((id) => `alt.${id}`) })
  assert.equal((await stored(a))?.alt, null)
  assert.deepEqual(await receive({ ...given, [`alt.${c}`]: 'A crew' }), { count: 3, faults: [] })
  const alts = await Promise.all(ids.map(async (id) => (await stored(id))?.alt))
  assert.deepEqual(alts, ['A van', '', 'A crew'])
  assert.partialDeepStrictEqual(await stored(a), { focalPoint: [0.25, 0.5], tags: ['van'] })
  const countVersions = async () =>
    (await listVersions(db, { kind: 'picture', id: a ?? 0 }, { limit: 9 })).length
  const before = await countVersions()
  await receive({ ...given, [`alt.${c}`]: 'Our crew' })
  assert.equal(await countVersions(), before, 'an equal description is no new version')
})

test('only users who may change settings change the pictures of the site', async (t) => {
  const { db, open, toldBy } = await aLibrary(t)
  for (const name of ['logo.png', 'van.jpg'])
    await savePicture(db, aPicture({ name }), { now: NOW.toISOString() })
  await changeSiteSettings(db, { changes: { logo: 'logo.png' } }, { now: NOW })
  const refuse = async (name: string, role: 'owner' | 'editor') =>
    toldBy(await refuseSitePicture(open('/admin/pictures/3', { role }), { id: 3, name }))
  const { status, to, text } = await refuse('logo.png', 'editor')
  assert.deepEqual([status, to], [303, '/admin/pictures/3'])
  assert.match(text, /logo\.png/)
  for (const [name, role] of [
    ['logo.png', 'owner'],
    ['van.jpg', 'editor'],
  ] as const)
    assert.equal((await refuse(name, role)).status, 0)
  const query = await readLibraryQuery(db, new URLSearchParams('q=van'))
  assert.deepEqual(
    [query.search, query.alsoUsed.get('logo.png'), query.alsoUsed.get('van.jpg')],
    ['van', 1, undefined],
  )
})

test('thumbnails are private, kept by the browser, and missing without the picture', async (t) => {
  const { add, stored, open } = await aLibrary(t)
  const { added } = await add([{ name: 'van.jpg', bytes: await aPhoto({ width: 600, height: 400 }) }])
  const { sha256 = '' } = (await stored(added[0]?.id)) ?? {}
  const answer = await answerThumbnail(open('/admin'), { sha256, width: 320 })
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/webp'])
  assert.match(answer.headers.get('cache-control') ?? '', /private.*immutable/)
  assert.equal(
    Buffer.from(await answer.arrayBuffer())
      .subarray(8, 12)
      .toString(),
    'WEBP',
  )
  assert.equal((await answerThumbnail(open('/admin'), { sha256: 'f'.repeat(64), width: 320 })).status, 404)
})
