import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { readConfig } from '#src/config.ts'
import { emptyTrash } from '#src/entries/trash/empty-trash.ts'
import { openFileStore } from '#src/files/open-file-store.ts'
import { addPicture, replacePicture } from '#src/pictures/add-picture.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { deletePictures, listHashes, savePicture } from '#src/pictures/picture-store.ts'
import { findMissingFiles, sweepPictures } from '#src/pictures/sweep-pictures.ts'
import { restoreTrashedPicture, trashPicture } from '#src/pictures/trash-picture.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { openTestDatabase, temporaryFolder } from '#tests/support/database.ts'
import { aPhoto } from '#tests/support/photos.ts'
import { startS3 } from '#tests/support/s3-server.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)

async function twoServers(t: TestContext) {
  const s3 = await startS3(t)
  const server = () => {
    const { dataDir, filePlace } = readConfig({ DATA_DIR: temporaryFolder(t), ...s3.environment })
    return openPictureFiles(dataDir, openFileStore(filePlace, { dataDir }))
  }
  return { s3, one: server(), other: server(), db: await openTestDatabase(t) }
}

async function aFile(t: TestContext, color: string) {
  const path = join(temporaryFolder(t), 'van.jpg')
  writeFileSync(path, await aPhoto({ color }))
  return path
}

test('pictures in the trash keep their files in a bucket, and the files go with them', async (t) => {
  const { s3, one, other, db } = await twoServers(t)
  const clock = { now: new Date().toISOString() }
  const added = await addPicture(db, one, { path: await aFile(t, '#123456'), name: 'van.jpg' }, clock)
  assert.ok(added.kind === 'saved')
  await replacePicture(db, one, { id: added.value.id, path: await aFile(t, '#654321') }, clock)
  const intoTrash = () => db.transaction().execute((trx) => trashPicture(trx, 'van.jpg', clock))
  await intoTrash()
  for (const files of [one, other]) await sweepPictures(db, { files, now: inDays(2) })
  assert.equal(s3.objects.size, 2)

  const [trashed] = await listTrash(db, { limit: 1 })
  assert.equal((await restoreTrashedPicture(db, trashed?.id ?? 0)).kind, 'saved')
  const hashes = await listHashes(db)
  assert.equal(hashes.length, 2)
  assert.deepEqual(await findMissingFiles(db, other), [])
  for (const sha256 of hashes) assert.equal(hash('sha256', (await other.read(sha256)) ?? ''), sha256)

  await intoTrash()
  await emptyTrash(db, { now: inDays(31) })
  await sweepPictures(db, { files: other, now: inDays(2) })
  assert.deepEqual([...s3.objects.keys()], [])
})

test('a picture keeps its file when a sweep finds an orphan that is uploaded again meanwhile', async (t) => {
  const { one, other, db } = await twoServers(t)
  const saving = { now: new Date().toISOString() }
  const path = await aFile(t, '#123456')
  const upload = () => addPicture(db, other, { path, name: 'van.jpg' }, saving)
  await upload()
  await deletePictures(db, ['van.jpg'])
  await one.write(hash('sha256', 'roof'), Buffer.from('roof'))
  let uploading: Promise<unknown> | undefined
  // Each removal takes as long as an upload, unless the upload has to wait for its end.
  const slowly = async (file: string) => {
    uploading ??= upload()
    await Promise.race([uploading, setTimeout(500)])
    await one.remove(file)
  }
  await sweepPictures(db, { files: { ...one, remove: slowly }, now: inDays(2) })
  await uploading
  const hashes = await listHashes(db)
  assert.equal(hashes.length, 1)
  assert.deepEqual(await findMissingFiles(db, other), [])
})

test('queries don’t wait for a bucket that doesn’t answer', async (t) => {
  const { other, db } = await twoServers(t)
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const has = async (sha256: string) => {
    asked.resolve()
    await answered.promise
    return other.has(sha256)
  }
  const path = await aFile(t, '#123456')
  const adding = addPicture(
    db,
    { ...other, has },
    { path, name: 'van.jpg' },
    { now: new Date().toISOString() },
  )
  await asked.promise
  const saved = await Promise.race([listHashes(db), setTimeout(20_000, [], { ref: false })])
  answered.resolve()
  assert.equal(saved.length, 1)
  assert.equal((await adding).kind, 'saved')
})

test('a picture stays in the trash while another has its name, with any extension and accents', async (t) => {
  const db = await openTestDatabase(t)
  const clock = { now: new Date().toISOString() }
  const save = (name: string) =>
    savePicture(db, { name, sha256: hash('sha256', name), width: 9, height: 9, size: 9 }, clock)
  await save('Übersicht.jpg')
  await db.transaction().execute((trx) => trashPicture(trx, 'Übersicht.jpg', clock))
  await save('Übersicht.png')
  const [trashed] = await listTrash(db, { limit: 1 })
  const problem = { path: [], code: 'picture_name_taken', params: { by: 'Übersicht.png' } }
  assert.deepEqual(await restoreTrashedPicture(db, trashed?.id ?? 0), {
    kind: 'invalid',
    problems: [problem],
  })
})
